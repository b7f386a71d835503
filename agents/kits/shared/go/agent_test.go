package main

// Plays the saved moves in cases/: "go test". "npx tartaglia match replay HISTORY --seat 0 --until 1 --save cases/NAME.json" adds one.

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
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
	messages, expected, err := readCase(path)
	if err != nil {
		t.Fatalf("it is not a saved move: %v", err)
	}
	// The other cases are played even if the agent panics.
	defer func() {
		if wrong := recover(); wrong != nil {
			t.Fatalf("%v\n%s", wrong, debug.Stack())
		}
	}()
	dialogue := newDialogue()
	var last Said
	for _, each := range messages {
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
	if answer := caseAnswer(last); answer != nil && write(answer) != write(expected) {
		t.Errorf("answered %s, and the saved answer is %s", write(answer), write(expected))
	}
}

// readCase reads the messages and the last answer of a saved move.
func readCase(path string) (messages []any, expected any, err error) {
	defer func() {
		if wrong := recover(); wrong != nil {
			err = fmt.Errorf("%v", wrong)
		}
	}()
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	saved := readObject(parse(string(text)))
	messages, isList := saved["messages"].([]any)
	if !isList {
		panic("it has no messages")
	}
	return messages, saved["answer"], nil
}
