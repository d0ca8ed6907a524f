// Judges CustomResourceDefinitions and custom resources with the code that kube-apiserver itself runs.
//
//	crd -crds FILE_OR_DIR[,…] [-own FILE_OR_DIR[,…]] [RESOURCES.yaml …]
//
// Definitions given with -own are judged too; those of -crds only serve to judge resources.
// Prints one problem per line; exit 0: none, 1: problems, 2: unusable input.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	foreign := flag.String("crds", "", "definitions that are trusted")
	own := flag.String("own", "", "definitions that are judged")
	flag.Parse()
	problems, err := judge(context.Background(), split(*foreign), split(*own), flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	for _, problem := range problems {
		fmt.Println(problem)
	}
	if len(problems) > 0 {
		os.Exit(1)
	}
}

func judge(ctx context.Context, foreign, own, files []string) ([]string, error) {
	known := definitions{}
	if _, err := known.load(ctx, foreign, false); err != nil {
		return nil, err
	}
	problems, err := known.load(ctx, own, true)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		found, err := known.judgeFile(ctx, file)
		if err != nil {
			return nil, err
		}
		problems = append(problems, found...)
	}
	return problems, nil
}

func split(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}
