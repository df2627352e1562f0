/* Signs in, and prints the user's name and an access token.
   cc -o sign-in sign-in.c -ljansson && ./sign-in github.com */
#define _POSIX_C_SOURCE 200809L
#include <err.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Tells the user what to do: type a code, or open the page that no browser shows. */
static void show(json_t *event)
{
    const char *page = NULL, *problem = NULL, *device_page = NULL, *code = NULL;
    json_unpack(event, "{s?s, s?s, s?s, s?s}", "authorizationURL", &page, "pageProblem", &problem, "verificationURI", &device_page, "userCode", &code);
    if (page && problem) fprintf(stderr, "open this page to sign in: %s\n", page);
    if (!page && device_page && code) fprintf(stderr, "open %s on any device and type this code there: %s\n", device_page, code);
}

/* Calls a method and returns the last reply's parameters; exits with a message if that fails. */
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
    json_t *request = json_pack("{s:s, s:o, s:b}", "method", method, "parameters", parameters, "more", 1);
    if (!daemon || !request || json_dumpf(request, daemon, 0)) errx(1, "no memory, or no text for JSON");
    size_t size = 0;
    /* A failed write is ignored: the answer may say why the call was not read to its end. It is complete if its last byte is 0. */
    fputc(0, daemon), fflush(daemon);
    for (json_decref(request);;) {
        ssize_t length = getdelim(&message, &size, 0, daemon);
        if (length < 1 || message[length - 1] != 0) errx(1, "posternd closed the connection");
        json_t *reply = json_loads(message, 0, NULL), *answer = json_object_get(reply, "parameters");
        const char *error = json_string_value(json_object_get(reply, "error")), *sentence = json_string_value(json_object_get(answer, "message"));
        if (!reply || error) errx(1, "%s", sentence ? sentence : error ? error : "the answer is not JSON");
        int is_last = !json_is_true(json_object_get(reply, "continues"));
        if (is_last) free(message), fclose(daemon), json_incref(answer);
        else show(json_object_get(answer, "event"));
        json_decref(reply);
        if (is_last) return answer;
    }
}

int main(int argc, char **argv)
{
    const char *provider = argc > 1 ? argv[1] : "github.com", *uid, *name = NULL, *token, *of, *account = NULL;
    json_t *accounts, *each;
    size_t index;
    signal(SIGPIPE, SIG_IGN);
    json_t *signed_in = call("io.postern.SignIn", json_pack("{s:s}", "providerID", provider)); /* waits for the user */
    if (json_unpack(signed_in, "{s:{s:{s:{s:s, s?s, s:o}, s:{s:s}}}}", "event", "result", "user", "uid", &uid, "displayName", &name, "providerData",
                    &accounts, "credential", "providerID", &of)) errx(1, "the answer has no user");
    /* The one that the user has chosen: other accounts at the provider may also be stored. */
    json_array_foreach(accounts, index, each) {
        const char *at = json_string_value(json_object_get(each, "providerID"));
        if (at && !strcmp(at, of)) account = json_string_value(json_object_get(each, "uid"));
    }
    if (!account) errx(1, "the answer has no account");
    printf("hello, %s\n", name ? name : uid);
    json_t *reply = call("io.postern.GetAccessToken", json_pack("{s:s, s:s}", "providerID", of, "uid", account));
    if (json_unpack(reply, "{s:s}", "accessToken", &token)) errx(1, "the answer has no token");
    if (printf("%s\n", token) < 0 || fflush(stdout)) err(1, "standard output");
    json_decref(signed_in), json_decref(reply);
}
