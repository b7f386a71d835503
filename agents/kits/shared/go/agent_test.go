package main

// Plays the saved moves in cases/: "go test". "npx tartaglia match replay HISTORY --seat 0 --until 1 --save cases/NAME.json" adds one.

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCases(t *testing.T) {
	paths, _ := filepath.Glob("cases/*.json")
	if len(paths) == 0 {
		t.Fatal("cases/ has no saved moves")
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) { playCase(t, path) })
	}
}

func playCase(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	saved := readObject(parse(string(text)))
	dialogue := newDialogue()
	var last Said
	for _, each := range saved["messages"].([]any) {
		message := readObject(each)
		body := 0
		if has(message, "body") {
			body = readInt(message["body"])
		}
		if said := dialogue(caseMessage(message), body); said != nil {
			last = said
		}
	}
	if last == nil {
		t.Fatal("the agent said nothing")
	}
	readSaid(parse(write(last.JSON())))
	// nil: the agent plays at random, so any answer will do.
	if answer := caseAnswer(last); answer != nil && write(answer) != write(saved["answer"]) {
		t.Errorf("answered %s, and the saved answer is %s", write(answer), write(saved["answer"]))
	}
}
