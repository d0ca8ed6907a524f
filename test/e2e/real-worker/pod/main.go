// A pod that asks its own API server, as every pod can: with the token and the authority that are mounted into it, at the
// address that its environment tells. Once with the argument "ask"; without, it says a word and asks every second.
package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"
)

const mounted = "/var/run/secrets/kubernetes.io/serviceaccount/"

func main() {
	if len(os.Args) > 1 && os.Args[1] == "ask" {
		answer, err := ask()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(answer)
		return
	}
	fmt.Println(os.Getenv("WORD"))
	for {
		answer, err := ask()
		if err != nil {
			fmt.Println("no answer:", err)
		} else {
			fmt.Println(answer)
		}
		time.Sleep(time.Second)
	}
}

// Which version it talks to, and who it is to the API server.
func ask() (string, error) {
	client, err := newClient()
	if err != nil {
		return "", err
	}
	var version struct{ GitVersion string }
	if err := client.call("GET", "/version", nil, &version); err != nil {
		return "", err
	}
	review := []byte(`{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}`)
	var self struct {
		Status struct{ UserInfo struct{ Username string } }
	}
	if err := client.call("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", review, &self); err != nil {
		return "", err
	}
	return version.GitVersion + " as " + self.Status.UserInfo.Username, nil
}

type client struct {
	http  *http.Client
	base  string
	token string
}

// A connection of its own each time: one that is open says nothing about the way.
func newClient() (*client, error) {
	token, err := os.ReadFile(mounted + "token")
	if err != nil {
		return nil, err
	}
	authority, err := os.ReadFile(mounted + "ca.crt")
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, DisableKeepAlives: true}
	base := "https://" + net.JoinHostPort(os.Getenv("KUBERNETES_SERVICE_HOST"), os.Getenv("KUBERNETES_SERVICE_PORT"))
	return &client{&http.Client{Transport: transport, Timeout: 5 * time.Second}, base, string(token)}, nil
}

func (c *client) call(method, path string, body []byte, answer any) error {
	request, err := http.NewRequest(method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %s", method, path, response.Status)
	}
	return json.NewDecoder(response.Body).Decode(answer)
}
