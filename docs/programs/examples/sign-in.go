// Prints an access token of the person's account, who signs in first if there is none, and whose account it is: go run sign-in.go github.com
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// event is the state of a sign-in and, at its end, the account that was signed in to.
type event struct {
	AuthorizationURL, PageProblem, VerificationURI, UserCode string

	Account account
}

// account is an account, by the name of its provider, or by its own without a UID.
type account struct {
	ProviderID string `json:"providerID"`
	UID        string `json:"uid,omitempty"`
}

// stored is an account that is kept.
type stored struct{ ProviderID, UID, Account, Email, DisplayName string }

// refusal is an error of the daemon's: its name, and a sentence for the user.
type refusal struct{ name, message string }

func (r refusal) Error() string { return r.message }

// show tells the user what to do: type a code, or open the page that no browser shows.
func show(now event) error {
	var line string
	if now.AuthorizationURL != "" && now.PageProblem != "" {
		line = "open this page to sign in: " + now.AuthorizationURL
	}
	if now.AuthorizationURL == "" && now.UserCode != "" {
		line = fmt.Sprintf("open %s on any device and type this code there: %s", now.VerificationURI, now.UserCode)
	}
	if line == "" {
		return nil
	}
	if !hasTerminal() {
		return errors.New("sign in first: there is no terminal to show the page's address on")
	}
	_, err := fmt.Fprintln(os.Stderr, line)
	return err
}

// hasTerminal is whether one of the three standard files is a terminal.
func hasTerminal() bool {
	for _, file := range []string{"0", "1", "2"} {
		path, _ := os.Readlink("/proc/self/fd/" + file)
		if strings.HasPrefix(path, "/dev/pts/") || strings.HasPrefix(path, "/dev/tty") || path == "/dev/console" {
			return true
		}
	}
	return false
}

// call calls a method and fills in its last reply; an error is a sentence for the user.
func call(method string, parameters, reply any) error {
	path, runtime := os.Getenv("POSTERN_SOCKET"), os.Getenv("XDG_RUNTIME_DIR")
	if !filepath.IsAbs(runtime) {
		runtime = fmt.Sprintf("/run/user/%d", os.Getuid())
	}
	if path == "" {
		path = runtime + "/postern/io.postern"
	}
	connection, err := net.Dial("unix", path)
	if err != nil {
		return fmt.Errorf("posternd cannot be reached: %w", err)
	}
	defer connection.Close()
	message, err := json.Marshal(map[string]any{"method": "io.postern." + method, "parameters": parameters, "more": true})
	if err != nil {
		return err
	}
	// A failed write is ignored: the answer may say why the call was not read to its end.
	connection.Write(append(message, 0))
	for replies := bufio.NewReader(connection); ; {
		message, err = replies.ReadBytes(0)
		if err != nil {
			return errors.New("posternd closed the connection")
		}
		var answer struct {
			Error      string
			Parameters json.RawMessage
			Continues  bool
		}
		if err = json.Unmarshal(message[:len(message)-1], &answer); err != nil {
			return fmt.Errorf("the answer makes no sense: %w", err)
		}
		if answer.Error != "" {
			var failure struct{ Message string }
			if json.Unmarshal(answer.Parameters, &failure) != nil || failure.Message == "" {
				failure.Message = answer.Error
			}
			return refusal{answer.Error, failure.Message}
		}
		if !answer.Continues {
			return json.Unmarshal(answer.Parameters, reply)
		}
		var change struct{ Event event }
		if err = json.Unmarshal(answer.Parameters, &change); err != nil {
			return fmt.Errorf("the answer makes no sense: %w", err)
		}
		if err = show(change.Event); err != nil {
			return err
		}
	}
}

// run takes the name of a provider, or of an account in the configuration.
func run(name string) error {
	var token struct{ AccessToken, UID string }
	err := call("GetAccessToken", account{ProviderID: name}, &token)
	var refused refusal
	if errors.As(err, &refused) && refused.name == "io.postern.SignInRequired" {
		// Opens the page in the browser, waits for the person, and keeps the account for all their programs.
		var signedIn struct{ Event event }
		if err = call("SignIn", map[string]string{"providerID": name, "intent": "keep"}, &signedIn); err != nil {
			return err
		}
		kept := signedIn.Event.Account
		if kept.ProviderID == "" || kept.UID == "" {
			return errors.New("the answer has no account")
		}
		name = kept.ProviderID
		err = call("GetAccessToken", account{ProviderID: name, UID: kept.UID}, &token)
	}
	if err != nil {
		return err
	}
	if token.AccessToken == "" || token.UID == "" {
		return errors.New("the answer has no token")
	}
	var list struct{ Credentials []stored }
	if err = call("ListCredentials", struct{}{}, &list); err != nil {
		return err
	}
	who := token.UID
	for _, each := range list.Credentials {
		if each.UID == token.UID && (each.ProviderID == name || each.Account == name) {
			for _, called := range []string{each.DisplayName, each.Email} {
				if called != "" {
					who = called
				}
			}
		}
	}
	_, err = fmt.Printf("the account is %s\n%s\n", who, token.AccessToken)
	return err
}

func main() {
	name := "github.com"
	if len(os.Args) > 1 {
		name = os.Args[1]
	}
	if err := run(name); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
