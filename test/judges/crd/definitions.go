package main

import (
	"context"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"
)

// version is one served version of a kind, ready to judge resources.
type version struct {
	namespaced bool
	structural *schema.Structural
	schema     validation.SchemaValidator
	rules      *cel.Validator
}

// definitions holds versions by "group/version/Kind".
type definitions map[string]version

// load reads every definition below the paths; with judged set it also reports what an API server would refuse.
func (d definitions) load(ctx context.Context, paths []string, judged bool) ([]string, error) {
	var problems []string
	documents, err := readAll(paths)
	if err != nil {
		return nil, err
	}
	for _, document := range documents {
		crd, err := parseDefinition(document.text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", document.file, err)
		}
		if crd == nil {
			continue
		}
		if judged {
			for _, e := range crdvalidation.ValidateCustomResourceDefinition(ctx, crd) {
				problems = append(problems, fmt.Sprintf("%s: %v", document.file, e))
			}
		}
		if err := d.add(crd); err != nil {
			return nil, fmt.Errorf("%s: %w", document.file, err)
		}
	}
	return problems, nil
}

// parseDefinition refuses unknown fields, as an API server with strict field validation does.
func parseDefinition(text []byte) (*apiextensions.CustomResourceDefinition, error) {
	var kind struct{ Kind string }
	if err := yaml.Unmarshal(text, &kind); err != nil || kind.Kind != "CustomResourceDefinition" {
		return nil, err
	}
	var external v1.CustomResourceDefinition
	if err := yaml.UnmarshalStrict(text, &external); err != nil {
		return nil, err
	}
	v1.SetDefaults_CustomResourceDefinition(&external)
	v1.SetDefaults_CustomResourceDefinitionSpec(&external.Spec)
	var internal apiextensions.CustomResourceDefinition
	if err := v1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(&external, &internal, nil); err != nil {
		return nil, err
	}
	// A stored version appears in the status once the server has taken the definition.
	internal.Status.StoredVersions = storedVersions(&internal)
	return &internal, nil
}

func storedVersions(crd *apiextensions.CustomResourceDefinition) []string {
	for _, v := range crd.Spec.Versions {
		if v.Storage {
			return []string{v.Name}
		}
	}
	return nil
}

func (d definitions) add(crd *apiextensions.CustomResourceDefinition) error {
	for _, v := range crd.Spec.Versions {
		ready, err := prepare(crd, v.Name)
		if err != nil {
			return err
		}
		d[crd.Spec.Group+"/"+v.Name+"/"+crd.Spec.Names.Kind] = ready
	}
	return nil
}

func prepare(crd *apiextensions.CustomResourceDefinition, name string) (version, error) {
	described, err := apiextensions.GetSchemaForVersion(crd, name)
	if err != nil {
		return version{}, err
	}
	structural, err := schema.NewStructural(described.OpenAPIV3Schema)
	if err != nil {
		return version{}, err
	}
	validator, _, err := validation.NewSchemaValidator(described.OpenAPIV3Schema)
	if err != nil {
		return version{}, err
	}
	return version{
		namespaced: crd.Spec.Scope == apiextensions.NamespaceScoped,
		structural: structural,
		schema:     validator,
		rules:      cel.NewValidator(structural, true, celconfig.PerCallLimit),
	}, nil
}
