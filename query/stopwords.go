package query

// stopWords are the words of English questions and commit subjects that say
// nothing about code, sorted. What can be the name of a thing in code (set,
// get, list, new, key) is not among them.
var stopWords = []string{
	"a", "about", "again", "all", "also", "always", "an", "and", "any", "are", "as", "at", "be", "because", "been", "being", "between", "both",
	"but", "by", "can", "cannot", "could", "did", "do", "does", "doing", "don't", "during", "each", "even", "every", "few", "for", "from", "had", "has",
	"have", "having", "here", "how", "i", "if", "in", "instead", "into", "is", "isn't", "it", "its", "just", "may", "might", "more", "most", "must",
	"my", "need", "no", "nor", "not", "of", "on", "only", "or", "other", "our", "out", "over", "own", "properly", "really", "should",
	"since", "so", "some", "still", "such", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "through",
	"to", "too", "under", "until", "up", "upon", "us", "use", "used", "using", "very", "via", "was", "we", "were", "what", "when", "where", "which",
	"while", "who", "why", "will", "with", "without", "would", "you", "your",
}

// weakWords are what subjects and questions say is done with the code, sorted.
// They may be names, too, so that they count, but less than what is named.
var weakWords = []string{
	"add", "added", "adding", "adds", "allow", "allows", "avoid", "avoids", "bug", "bugs", "change", "changed", "changes", "clean", "correct",
	"correctly", "ensure", "ensures", "fix", "fixed", "fixes", "handle", "handles", "handling", "implement", "implements", "improve", "improves",
	"introduce", "issue", "issues", "make", "makes", "making", "move", "moved", "new", "prevent", "prevents", "refactor", "remove", "removed",
	"removes", "removing", "rename", "show", "shows", "simplify", "support", "supporting", "supports", "update", "updated", "updates", "work", "works",
}
