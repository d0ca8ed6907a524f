package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"
)

type document struct {
	file string
	text []byte
}

// judgeFile reports what an API server would refuse, or would silently drop.
func (d definitions) judgeFile(ctx context.Context, file string) ([]string, error) {
	documents, err := readFile(file)
	if err != nil {
		return nil, err
	}
	var problems []string
	for _, document := range documents {
		object, err := parseObject(document.text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, problem := range d.judgeObject(ctx, object) {
			problems = append(problems, fmt.Sprintf("%s: %s: %s", file, nameOf(object), problem))
		}
	}
	return problems, nil
}

func (d definitions) judgeObject(ctx context.Context, object map[string]any) []string {
	u := unstructured.Unstructured{Object: object}
	v, known := d[u.GetAPIVersion()+"/"+u.GetKind()]
	if !known {
		return []string{"no definition serves this kind"}
	}
	var problems []string
	unknown := schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	for _, path := range pruning.PruneWithOptions(object, v.structural, true, unknown) {
		problems = append(problems, "unknown field "+path)
	}
	defaulting.Default(object, v.structural)
	for _, e := range v.validate(ctx, &u) {
		problems = append(problems, e.Error())
	}
	return problems
}

func (v version) validate(ctx context.Context, u *unstructured.Unstructured) field.ErrorList {
	meta := field.NewPath("metadata")
	errs := metavalidation.ValidateObjectMetaAccessor(u, v.namespaced, metavalidation.NameIsDNSSubdomain, meta)
	errs = append(errs, objectmeta.Validate(nil, u.Object, v.structural, true)...)
	errs = append(errs, validation.ValidateCustomResource(nil, u.Object, v.schema)...)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, v.structural, u.Object)...)
	if v.rules != nil {
		broken, _ := v.rules.Validate(ctx, nil, v.structural, u.Object, nil, celconfig.RuntimeCELCostBudget)
		errs = append(errs, broken...)
	}
	return errs
}

// parseObject keeps whole numbers whole, as the API server does; rules in CEL tell them from fractions.
func parseObject(text []byte) (map[string]any, error) {
	asJSON, err := yaml.YAMLToJSONStrict(text)
	if err != nil {
		return nil, err
	}
	var object map[string]any
	err = json.Unmarshal(asJSON, &object)
	return object, err
}

func nameOf(object map[string]any) string {
	u := unstructured.Unstructured{Object: object}
	return u.GetKind() + "/" + u.GetName()
}

func readAll(paths []string) ([]document, error) {
	var all []document
	for _, path := range paths {
		err := filepath.WalkDir(path, func(file string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".yaml") {
				return err
			}
			found, err := readFile(file)
			all = append(all, found...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

func readFile(file string) ([]document, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var found []document
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for {
		part, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if !onlyComments(part) {
			found = append(found, document{file: file, text: part})
		}
	}
}

func onlyComments(text []byte) bool {
	for _, line := range bytes.Split(text, []byte("\n")) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' && !bytes.Equal(line, []byte("---")) {
			return false
		}
	}
	return true
}
