"""Bots to start from, in every language that is played: folders that can be built, packed and uploaded as they are.

Each keeps stdout for the protocol of docs/bot-protocol.md: what is printed in passing lands on stderr,
which is the bot's log. None needs a library.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Starter:
    """``source``: its file and text. ``entry``: what the manifest names. ``build``: the command that makes
    the entry, empty if nothing has to be built."""

    source: tuple[str, str]
    entry: str
    build: tuple[str, ...] = ()


MANIFEST = """\
name = "@NAME@"
language = "@LANGUAGE@"
entry = "@ENTRY@"
games = ["@GAME@"]
"""
README = """\
# @NAME@

A bot for @GAME@ in @LANGUAGE@, to start from: `@SOURCE@` says where your thinking goes.
@BUILD@
Try it, then hand it in (the folder is packed as it is):

```sh
mamenoki certify .
mamenoki submit . --wait
```

The server gives the bot one process, no network, no place to write, and the lines of the protocol on its
pipes. What it prints is its log, which its owner can read.
"""
BUILD = """\
The server compiles nothing. Build the program as a static one:

```sh
@COMMAND@
```
"""

PYTHON = '''\
"""A bot for mamenoki. `print` is safe: it lands in the bot's log."""

from mamenoki.sdk import Bot, Decision


class MyBot(Bot):
    """One object sits at one seat of one match: what is kept in self is that seat's memory."""

    def choose(self, decision: Decision) -> str:
        # decision.legal: every move that may be made; decision.view: what this seat can see now.
        if "stop" in decision.legal:
            return "stop"
        return decision.legal[decision.id % len(decision.legal)]
'''

JAVASCRIPT = r"""// A bot for mamenoki. stdout belongs to the protocol; console.log is safe: it lands in the bot's log.
const { createInterface } = require("node:readline");
const { writeSync } = require("node:fs");

console.log = console.info = console.debug = console.error;
process.stdout.write = process.stderr.write.bind(process.stderr);

// legal: every move that may be made, as texts; view: what this seat can see now.
function choose({ id, legal }, view) {
  if (legal.includes("stop")) return "stop";
  return legal[id % legal.length];
}

createInterface({ input: process.stdin }).on("line", (line) => {
  for (const { decision, view } of JSON.parse(line).updates ?? []) {
    const moves = [{ decision: decision.id, move: choose(decision, view) }];
    writeSync(1, JSON.stringify({ moves }) + "\n");
  }
});
"""

C = r"""/* A bot for mamenoki. stdout belongs to the protocol; printf is safe: it lands in the bot's log. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST 4096

/* legal: every move that may be made, as texts. The whole line, with what the seat can see, is in `line`. */
static const char *choose(int id, char *legal[], int count, const char *line) {
    (void)line;
    for (int i = 0; i < count; i++)
        if (!strcmp(legal[i], "stop")) return legal[i];
    return legal[id % count];
}

/* The texts of the list that begins behind `at`, cut apart in place; moves hold no escapes. */
static int texts(char *at, char *found[]) {
    int count = 0;
    while (*at == '"' && count < MOST) {
        found[count++] = ++at;
        at = strchr(at, '"');
        *at++ = 0;
        if (*at == ',') at++;
    }
    return count;
}

int main(void) {
    static char *legal[MOST];
    FILE *answers = fdopen(dup(1), "w");
    char *line = NULL;
    size_t room = 0;
    dup2(2, 1);
    setvbuf(stdout, NULL, _IONBF, 0);
    while (getline(&line, &room, stdin) > 0) {
        char *owed = strstr(line, "\"decision\":{\"id\":");
        if (strncmp(line, "{\"updates\"", 10) || !owed) continue;
        int id = atoi(owed + 17);
        int count = texts(strstr(owed, "\"legal\":[") + 9, legal);
        fprintf(answers, "{\"moves\":[{\"decision\":%d,\"move\":\"%s\"}]}\n", id, choose(id, legal, count, line));
        fflush(answers);
    }
    return 0;
}
"""

RUST = r"""// A bot for mamenoki. stdout belongs to the protocol; println! is safe: it lands in the bot's log.
use std::fs::File;
use std::io::{self, BufRead, Write};
use std::os::fd::FromRawFd;

extern "C" {
    fn dup(fd: i32) -> i32;
    fn dup2(from: i32, to: i32) -> i32;
}

/// `legal`: every move that may be made, as texts. `_line`: the whole update, with what the seat can see.
fn choose<'a>(id: usize, legal: &[&'a str], _line: &str) -> &'a str {
    if legal.contains(&"stop") {
        return "stop";
    }
    legal[id % legal.len()]
}

fn main() -> io::Result<()> {
    let mut answers = unsafe {
        let own = dup(1);
        dup2(2, 1);
        File::from_raw_fd(own)
    };
    for line in io::stdin().lock().lines() {
        let line = line?;
        if !line.starts_with("{\"updates\"") {
            continue;
        }
        let owed = &line[line.find("\"decision\":{\"id\":").unwrap() + 17..];
        let id: usize = owed[..owed.find(',').unwrap()].parse().unwrap();
        let list = &owed[owed.find("\"legal\":[\"").unwrap() + 10..];
        let legal: Vec<&str> = list[..list.find("\"]").unwrap()].split("\",\"").collect();
        let answer = choose(id, &legal, &line);
        writeln!(answers, "{{\"moves\":[{{\"decision\":{id},\"move\":\"{answer}\"}}]}}")?;
    }
    Ok(())
}
"""

GO = r"""// A bot for mamenoki. stdout belongs to the protocol; fmt.Println is safe: it lands in the bot's log.
package main

import (
	"bufio"
	"encoding/json"
	"os"
)

type update struct {
	View     json.RawMessage
	Decision struct {
		ID    int
		Legal []string
	}
}

// legal: every move that may be made, as texts; view: what this seat can see now.
func choose(id int, legal []string, view json.RawMessage) string {
	for _, move := range legal {
		if move == "stop" {
			return move
		}
	}
	return legal[id%len(legal)]
}

func main() {
	answers := json.NewEncoder(os.Stdout)
	os.Stdout = os.Stderr
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var message struct{ Updates []update }
		if json.Unmarshal(lines.Bytes(), &message) != nil {
			continue
		}
		for _, one := range message.Updates {
			owed := one.Decision
			move := map[string]any{"decision": owed.ID, "move": choose(owed.ID, owed.Legal, one.View)}
			answers.Encode(map[string]any{"moves": []any{move}})
		}
	}
}
"""

STARTERS: Mapping[str, Starter] = MappingProxyType(
    {
        "python": Starter(("bot.py", PYTHON), "bot.py:MyBot"),
        "javascript": Starter(("bot.js", JAVASCRIPT), "bot.js"),
        "c": Starter(("bot.c", C), "bot", ("cc", "-O2", "-static", "-o", "bot", "bot.c")),
        "rust": Starter(
            ("bot.rs", RUST), "bot",
            ("rustc", "-O", "-C", "target-feature=+crt-static", "-C", "strip=symbols", "-o", "bot", "bot.rs"),
        ),
        "go": Starter(("bot.go", GO), "bot", ("go", "build", "-ldflags=-s -w", "-o", "bot", "bot.go")),
    }
)  # fmt: skip
"""By language."""


def files(language: str, name: str, game: str) -> dict[str, str]:
    """The folder of a new bot: texts by file name. ``language`` is one of :data:`STARTERS`."""
    starter = STARTERS[language]
    command = " ".join(f"'{word}'" if " " in word else word for word in starter.build)
    if language == "go":
        command = f"CGO_ENABLED=0 {command}"
    values = {
        "@BUILD@": BUILD if starter.build else "",
        "@COMMAND@": command,
        "@NAME@": name,
        "@LANGUAGE@": language,
        "@ENTRY@": starter.entry,
        "@SOURCE@": starter.source[0],
        "@GAME@": game,
    }
    texts = {"mamenoki.toml": MANIFEST, "README.md": README, starter.source[0]: starter.source[1]}
    for sign, value in values.items():
        texts = {file: text.replace(sign, value) for file, text in texts.items()}
    return texts
