/* Prints an access token of the person's account, who signs in first if there is none, and whose account it is.
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
    if (!(page && problem) && !(!page && device_page && code)) return;
    if (!isatty(0) && !isatty(1) && !isatty(2)) errx(1, "sign in first: there is no terminal to show the page's address on");
    if (page) fprintf(stderr, "open this page to sign in: %s\n", page);
    else fprintf(stderr, "open %s on any device and type this code there: %s\n", device_page, code);
}

/* Calls a method and returns the last reply's parameters: NULL after this one error, and after any other it exits with a message. */
static json_t *call(const char *method, json_t *parameters, const char *expected)
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
        if (error && expected && !strcmp(error, expected)) return free(message), fclose(daemon), json_decref(reply), NULL;
        if (!reply || error) errx(1, "%s", sentence ? sentence : error ? error : "the answer is not JSON");
        int is_last = !json_is_true(json_object_get(reply, "continues"));
        if (is_last) free(message), fclose(daemon), json_incref(answer);
        else show(json_object_get(answer, "event"));
        json_decref(reply);
        if (is_last) return answer;
    }
}

/* The token of an account, by the name of its provider or its own; NULL if the person has to sign in first. */
static json_t *token(const char *name, const char *uid, const char *expected)
{
    return call("io.postern.GetAccessToken", json_pack("{s:s, s:s*}", "providerID", name, "uid", uid), expected);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "github.com", *uid, *who, *access_token;
    json_t *credentials, *each, *signed_in = NULL;
    size_t index;
    signal(SIGPIPE, SIG_IGN);
    json_t *reply = token(name, NULL, "io.postern.SignInRequired");
    if (!reply) {
        /* Opens the page in the browser, waits for the person, and keeps the account for all their programs. */
        signed_in = call("io.postern.SignIn", json_pack("{s:s, s:s}", "providerID", name, "intent", "keep"), NULL);
        if (json_unpack(signed_in, "{s:{s:{s:s, s:s}}}", "event", "account", "providerID", &name, "uid", &uid)) errx(1, "the answer has no account");
        reply = token(name, uid, NULL);
    }
    if (json_unpack(reply, "{s:s, s:s}", "accessToken", &access_token, "uid", &uid)) errx(1, "the answer has no token");
    json_t *list = call("io.postern.ListCredentials", json_object(), NULL);
    if (json_unpack(list, "{s:o}", "credentials", &credentials)) errx(1, "the answer has no credentials");
    who = uid;
    json_array_foreach(credentials, index, each) {
        const char *provider = "", *id = "", *account = "", *email = NULL, *display_name = NULL;
        json_unpack(each, "{s?s, s?s, s?s, s?s, s?s}", "providerID", &provider, "uid", &id, "account", &account, "email", &email, "displayName",
                    &display_name);
        if (!strcmp(id, uid) && (!strcmp(provider, name) || !strcmp(account, name))) who = email ? email : display_name ? display_name : uid;
    }
    if (printf("the account is %s\n%s\n", who, access_token) < 0 || fflush(stdout)) err(1, "standard output");
    json_decref(reply), json_decref(list), json_decref(signed_in);
}
