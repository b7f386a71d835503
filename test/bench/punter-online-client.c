/* An online punter that passes, in a process of its own. Usage: punter-online-client PORT. It acknowledges at once what it has
 * received: a server that writes a message in two parts would otherwise wait 40 ms for that. Punter 0 prints at the end how
 * many moves a second both of two punters have made since its first turn. */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* More than the first message, with a map of 10,000 rivers. */
static char room[1 << 22];
static size_t filled = 0, taken = 0, length = 0;
static int server;

static void acknowledge(void) {
#ifdef TCP_QUICKACK
  int on = 1;
  setsockopt(server, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
#endif
}

static const char *receive(void) {
  memmove(room, room + taken, filled - taken);
  filled -= taken;
  taken = 0;
  for (;;) {
    char *colon = memchr(room, ':', filled < 10 ? filled : 10);
    if (colon != NULL) {
      length = strtoul(room, NULL, 10);
      taken = (size_t)(colon + 1 - room) + length;
      if (filled >= taken) return colon + 1;
    }
    acknowledge();
    ssize_t more = read(server, room + filled, sizeof room - 1 - filled);
    if (more <= 0) exit(1);
    filled += (size_t)more;
    room[filled] = 0;
  }
}

static void reply(const char *text) {
  char message[128];
  int size = snprintf(message, sizeof message, "%zu:%s", strlen(text), text);
  if (write(server, message, (size_t)size) != size) exit(1);
  acknowledge();
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(argv[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  server = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(server, (struct sockaddr *)&address, sizeof address) != 0) return 2;
  reply("{\"me\":\"C\"}");
  receive();
  const char *key = strstr(receive(), "\"punter\":");
  if (key == NULL) return 2;
  int me = atoi(key + strlen("\"punter\":")), turns = 0;
  char ready[64], pass[64];
  snprintf(ready, sizeof ready, "{\"ready\":%d}", me);
  snprintf(pass, sizeof pass, "{\"pass\":{\"punter\":%d}}", me);
  reply(ready);
  double begun = 0;
  for (;;) {
    const char *message = receive();
    if (begun == 0) begun = seconds();
    if (length > 7 && strncmp(message, "{\"stop\"", 7) == 0) break;
    turns++;
    reply(pass);
  }
  if (me == 0) printf("%f\n", 2 * turns / (seconds() - begun));
  return 0;
}
