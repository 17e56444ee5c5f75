package main

import (
	"fmt"
	"math"
	"strings"
)

// The picture: both axes logarithmic, so that what grows in proportion to the
// number of files is a line of slope one, and anything steeper is seen at once.
const (
	plotWidth, plotHeight  = 640, 420
	plotLeft, plotRight    = 60, 150
	plotTop, plotBottom    = 20, 40
	plotFloor, plotDecades = -3.0, 7.0 // from 0.001 to 10,000
)

// curve is one line of the picture.
type curve struct {
	label, colour string
	of            func(*point) float64
}

var curves = []curve{
	{"cold index, CPU s", "#d62728", func(p *point) float64 { return p.Cold }},
	{"peak memory, MiB", "#9467bd", func(p *point) float64 { return p.Peak }},
	{"disk, MiB", "#8c564b", func(p *point) float64 { return p.Disk }},
	{"one-file sync, s", "#ff7f0e", func(p *point) float64 { return p.Sync }},
	{"query, s", "#1f77b4", func(p *point) float64 { return p.Query }},
	{"query by stat, s", "#2ca02c", func(p *point) float64 { return p.Stat }},
}

// plot draws the figures of all sizes as an SVG picture.
func plot(points []point) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">`+"\n", plotWidth, plotHeight)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", plotWidth, plotHeight)
	low := math.Log10(float64(points[0].Files))
	span := math.Max(math.Log10(float64(points[len(points)-1].Files))-low, 1e-9)
	x := func(files int) float64 {
		return plotLeft + (math.Log10(float64(files))-low)/span*(plotWidth-plotLeft-plotRight)
	}
	y := func(v float64) float64 {
		return plotHeight - plotBottom - (math.Log10(math.Max(v, 1e-3))-plotFloor)/plotDecades*(plotHeight-plotTop-plotBottom)
	}
	for d := 0.0; d <= plotDecades; d++ {
		at := y(math.Pow(10, plotFloor+d))
		fmt.Fprintf(&b, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%g</text>`+"\n",
			plotLeft, at, plotWidth-plotRight, at, plotLeft-6, at+4, math.Pow(10, plotFloor+d))
	}
	for i := range points {
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">%d</text>`+"\n", x(points[i].Files), plotHeight-plotBottom+16, points[i].Files)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">source files</text>`+"\n", (plotLeft+plotWidth-plotRight)/2, plotHeight-6)
	for _, c := range curves {
		var line strings.Builder
		for i := range points {
			fmt.Fprintf(&line, "%.1f,%.1f ", x(points[i].Files), y(c.of(&points[i])))
		}
		last := &points[len(points)-1]
		fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/><text x="%d" y="%.1f" fill="%s">%s</text>`+"\n",
			strings.TrimSpace(line.String()), c.colour, plotWidth-plotRight+6, y(c.of(last))+4, c.colour, c.label)
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}
