/* Signs in, and prints the user's name and an access token.
   cc -o sign-in sign-in.c -ljansson && ./sign-in github.com */
#define _POSIX_C_SOURCE 200809L
#include <err.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Calls a method and gives the reply's parameters; ends the program with a sentence where that fails. */
static json_t *call(const char *method, json_t *parameters)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char *path = getenv("POSTERN_SOCKET"), *runtime = getenv("XDG_RUNTIME_DIR"), *message = NULL;
    int used = path && *path               ? snprintf(address.sun_path, sizeof address.sun_path, "%s", path)
             : runtime && *runtime == '/' ? snprintf(address.sun_path, sizeof address.sun_path, "%s/postern/io.postern", runtime)
                                          : snprintf(address.sun_path, sizeof address.sun_path, "/run/user/%u/postern/io.postern", getuid());
    if (used >= (int)sizeof address.sun_path) errx(1, "the path of the socket is too long: %s...", address.sun_path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address)) err(1, "posternd cannot be reached at %s", address.sun_path);
    FILE *daemon = fdopen(descriptor, "r+");
    json_t *request = json_pack("{s:s, s:o}", "method", method, "parameters", parameters);
    if (!daemon || !request || json_dumpf(request, daemon, 0)) errx(1, "no memory, or no text for JSON");
    size_t size = 0;
    /* The answer may say why the call was not read to its end: what counts is whether one comes, and its last byte is 0. */
    fputc(0, daemon), fflush(daemon);
    ssize_t length = getdelim(&message, &size, 0, daemon);
    if (length < 1 || message[length - 1] != 0) errx(1, "posternd closed the connection");
    json_t *reply = json_loads(message, 0, NULL), *answer = json_object_get(reply, "parameters");
    const char *error = json_string_value(json_object_get(reply, "error")), *sentence = json_string_value(json_object_get(answer, "message"));
    if (!reply || error) errx(1, "%s", sentence ? sentence : error ? error : "the answer is not JSON");
    json_incref(answer), json_decref(reply), json_decref(request), free(message), fclose(daemon);
    return answer;
}

int main(int argc, char **argv)
{
    const char *provider = argc > 1 ? argv[1] : "github.com", *uid, *name = NULL, *token;
    signal(SIGPIPE, SIG_IGN);
    json_t *signed_in = call("io.postern.SignIn", json_pack("{s:s}", "providerID", provider)); /* waits for the user */
    if (json_unpack(signed_in, "{s:{s:{s:{s:s, s?s}}}}", "event", "result", "user", "uid", &uid, "displayName", &name)) errx(1, "the answer has no user");
    printf("hello, %s\n", name ? name : uid);
    json_t *reply = call("io.postern.GetAccessToken", json_pack("{s:s}", "providerID", provider));
    if (json_unpack(reply, "{s:s}", "accessToken", &token)) errx(1, "the answer has no token");
    if (printf("%s\n", token) < 0 || fflush(stdout)) err(1, "standard output");
    json_decref(signed_in), json_decref(reply);
}
