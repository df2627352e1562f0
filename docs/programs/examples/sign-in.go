// Signs in, and prints the user's name and an access token: go run sign-in.go github.com
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
)

// event is the state of a sign-in and, at its end, who signed in.
type event struct {
	AuthorizationURL, PageProblem, VerificationURI, UserCode string

	Result struct {
		User struct {
			UID, DisplayName string
			ProviderData     []account
		}
		Credential account
	}
}

// account is an account at a provider.
type account struct {
	ProviderID string `json:"providerID"`
	UID        string `json:"uid"`
}

// show tells the user what to do: type a code, or open the page that no browser shows.
func show(now event) {
	if now.AuthorizationURL != "" && now.PageProblem != "" {
		fmt.Fprintln(os.Stderr, "open this page to sign in:", now.AuthorizationURL)
	}
	if now.AuthorizationURL == "" && now.UserCode != "" {
		fmt.Fprintf(os.Stderr, "open %s on any device and type this code there: %s\n", now.VerificationURI, now.UserCode)
	}
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
			return errors.New(failure.Message)
		}
		if !answer.Continues {
			return json.Unmarshal(answer.Parameters, reply)
		}
		var change struct{ Event event }
		if err = json.Unmarshal(answer.Parameters, &change); err != nil {
			return fmt.Errorf("the answer makes no sense: %w", err)
		}
		show(change.Event)
	}
}

func run(provider string) error {
	var signedIn struct{ Event event }
	if err := call("SignIn", map[string]string{"providerID": provider}, &signedIn); err != nil { // waits for the user
		return err
	}
	result := signedIn.Event.Result
	name := result.User.DisplayName
	if name == "" {
		name = result.User.UID
	}
	// The one that the user has chosen: other accounts at the provider may also be stored.
	var chosen account
	for _, each := range result.User.ProviderData {
		if each.ProviderID == result.Credential.ProviderID {
			chosen = each
		}
	}
	if chosen.UID == "" {
		return errors.New("the answer has no account")
	}
	var token struct{ AccessToken string }
	if err := call("GetAccessToken", chosen, &token); err != nil {
		return err
	}
	if name == "" || token.AccessToken == "" {
		return errors.New("the answer has no user or no token")
	}
	_, err := fmt.Printf("hello, %s\n%s\n", name, token.AccessToken)
	return err
}

func main() {
	provider := "github.com"
	if len(os.Args) > 1 {
		provider = os.Args[1]
	}
	if err := run(provider); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
