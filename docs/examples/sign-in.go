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

type user struct{ UID, DisplayName string }

// call calls a method and fills in reply; an error is a sentence for the user.
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
	message, err := json.Marshal(map[string]any{"method": "io.postern." + method, "parameters": parameters})
	if err != nil {
		return err
	}
	// A failed write is ignored: the answer may say why the call was not read to its end.
	connection.Write(append(message, 0))
	message, err = bufio.NewReader(connection).ReadBytes(0)
	if err != nil {
		return errors.New("posternd closed the connection")
	}
	var answer struct {
		Error      string
		Parameters json.RawMessage
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
	return json.Unmarshal(answer.Parameters, reply)
}

func run(provider string) error {
	var signedIn struct {
		Event struct{ Result struct{ User user } }
	}
	parameters := map[string]string{"providerID": provider}
	if err := call("SignIn", parameters, &signedIn); err != nil { // waits for the user
		return err
	}
	name := signedIn.Event.Result.User.DisplayName
	if name == "" {
		name = signedIn.Event.Result.User.UID
	}
	var token struct{ AccessToken string }
	if err := call("GetAccessToken", parameters, &token); err != nil {
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
