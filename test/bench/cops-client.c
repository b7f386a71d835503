/* A bot of 2005 that walks to and fro, tells where the robber is not, and plans for all: what a game of programs costs without a
 * runtime. Usage: bot ROLE NAME. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COPS 5
#define EDGES 1000
#define TOKEN 128

static char line[1024], me[TOKEN], robber[TOKEN], cops[COPS][TOKEN], loc[TOKEN], home[TOKEN];
static char ends[EDGES][2][TOKEN];
static int edges = 0, found = 0;

static const char *hear(void) {
  if (fgets(line, sizeof line, stdin) == NULL) exit(0);
  line[strcspn(line, "\r\n")] = 0;
  if (strcmp(line, "game-over") == 0) exit(0);
  return line;
}

static void until(const char *last) {
  while (strcmp(hear(), last) != 0) {
    char a[TOKEN], b[TOKEN], type[TOKEN];
    if (sscanf(line, "pl: %127s %127s", a, b) == 2 && strcmp(a, me) == 0) strcpy(loc, b);
    if (edges < EDGES && sscanf(line, "edg: %127s %127s %127s", a, b, type) == 3 && strcmp(type, "foot") == 0) {
      strcpy(ends[edges][0], a);
      strcpy(ends[edges++][1], b);
    }
  }
}

/* The other end of a street on foot that begins or ends where the bot is; NULL: it does not touch it. */
static const char *across(int edge) {
  if (strcmp(ends[edge][0], loc) == 0) return ends[edge][1];
  return strcmp(ends[edge][1], loc) == 0 ? ends[edge][0] : NULL;
}

static const char *next(void) {
  if (home[0] == 0) strcpy(home, loc);
  if (strcmp(home, loc) != 0) return home;
  for (int edge = 0; edge < edges; edge++)
    if (across(edge) != NULL) return across(edge);
  return loc;
}

int main(int argc, char **argv) {
  const char *role = argv[1];
  int world = 1;
  if (argc < 3) return 2;
  printf("reg: %s %s\n", argv[2], role);
  fflush(stdout);
  while (strcmp(hear(), "nod\\") != 0) {
    sscanf(line, "name: %127s", me);
    sscanf(line, "robber: %127s", robber);
    if (found < COPS && sscanf(line, "cop: %127s", cops[found]) == 1) found++;
  }
  until("wsk/");
  for (;; world += 2) {
    until("wor/");
    if (strcmp(role, "robber") != 0) {
      printf("inf\\\n");
      for (int edge = 0; edge < edges; edge++)
        if (across(edge) != NULL) printf("inf: %s %s robber %d -100\n", robber, across(edge), world);
      printf("inf/\n");
      fflush(stdout);
      until("from/");
      printf("plan\\\n");
      for (int cop = 0; cop < COPS; cop++) printf("plan: %s %s cop-foot %d\n", cops[cop], next(), world + 1);
      printf("plan/\n");
      fflush(stdout);
      until("from/");
      printf("vote\\\n");
      for (int cop = 0; cop < COPS; cop++) printf("vote: %s\n", cops[cop]);
      printf("vote/\n");
      fflush(stdout);
      hear();
    }
    printf("mov: %s %s\n", next(), role);
    fflush(stdout);
  }
}
