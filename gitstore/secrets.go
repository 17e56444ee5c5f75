package gitstore

import "strings"

// The list of credential files: data, compared without regard to case. A file
// that it names is never opened. It errs on the safe side only where a name
// belongs to credentials by convention; source that merely talks about secrets
// (secrets.py, credentials.go) stays.

// secretNames are whole base names.
var secretNames = [...]string{
	".env", ".envrc", ".netrc", "_netrc", ".pgpass", ".my.cnf", ".mylogin.cnf", ".npmrc", ".yarnrc.yml", ".pypirc",
	".htpasswd", ".git-credentials", ".dockercfg", ".s3cfg", ".boto", ".vault-token", ".terraformrc",
	"auth.json", "credentials.json", "secrets.json", "secrets.yml", "secrets.yaml", "secrets.toml",
	"wp-config.php", "kubeconfig",
}

// secretPrefixes begin a base name.
var secretPrefixes = [...]string{
	".env.", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "client_secret_",
}

// secretSuffixes end a base name.
var secretSuffixes = [...]string{
	".key", ".pem", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".tfstate", ".tfstate.backup", ".tfvars",
	".mobileprovision", ".ovpn",
}

// secretPlaces are a folder, anywhere in the path, with the end of what is
// secret below it.
var secretPlaces = [...]struct{ folder, suffix string }{
	{"config", ".local.php"},
	{".aws", "credentials"},
	{".docker", "config.json"},
	{".kube", "config"},
	{".ssh", ""},
	{".gnupg", ""},
}

// isSecret says whether a path names a credential file.
func isSecret(path string) bool {
	dir, base := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		dir, base = path[:i+1], path[i+1:]
	}
	for _, n := range secretNames {
		if len(base) == len(n) && strings.EqualFold(base, n) {
			return true
		}
	}
	for _, p := range secretPrefixes {
		if len(base) >= len(p) && strings.EqualFold(base[:len(p)], p) {
			return true
		}
	}
	for _, s := range secretSuffixes {
		if hasSuffixFold(base, s) {
			return true
		}
	}
	for _, place := range secretPlaces {
		if hasSuffixFold(base, place.suffix) && hasFolder(dir, place.folder) {
			return true
		}
	}
	return false
}

func hasSuffixFold(s, suffix string) bool {
	return len(s) >= len(suffix) && strings.EqualFold(s[len(s)-len(suffix):], suffix)
}

// hasFolder says whether dir ("" or "a/b/") has a component of that name.
func hasFolder(dir, name string) bool {
	for dir != "" {
		var head string
		head, dir, _ = strings.Cut(dir, "/")
		if strings.EqualFold(head, name) {
			return true
		}
	}
	return false
}
