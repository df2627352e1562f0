/* CSystemd: libsystemd's headers, and what Swift cannot call of them. Imported by PosternSystemd alone. */
#ifndef POSTERN_CSYSTEMD_SHIM_H
#define POSTERN_CSYSTEMD_SHIM_H
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>

/* Only what Swift cannot call. Variadic functions: Swift imports none of them, so each signature in use has its own name. */

static inline int postern_bus_append_string(sd_bus_message *message, const char *value) {
    return sd_bus_message_append(message, "s", value);
}

static inline int postern_bus_append_boolean(sd_bus_message *message, int value) {
    return sd_bus_message_append(message, "b", value);
}

static inline int postern_bus_append_object(sd_bus_message *message, const char *path) {
    return sd_bus_message_append(message, "o", path);
}

static inline int postern_bus_append_number(sd_bus_message *message, uint32_t value) {
    return sd_bus_message_append(message, "u", value);
}

static inline int postern_bus_append_signed(sd_bus_message *message, int32_t value) {
    return sd_bus_message_append(message, "i", value);
}

/* One hint of a notification: {sv} with a byte in it. */
static inline int postern_bus_append_byte_variant(sd_bus_message *message, const char *name, uint8_t value) {
    return sd_bus_message_append(message, "sv", name, "y", value);
}

/* One property of a transient unit, or one of a secret's item: (sv) or {sv} with a string in it. */
static inline int postern_bus_append_string_variant(sd_bus_message *message, const char *name, const char *value) {
    return sd_bus_message_append(message, "sv", name, "s", value);
}

/* One entry of a portal's notification: {sv} with a serialised icon (GIcon) in it, by its name in the desktop's theme. */
static inline int postern_bus_append_icon(sd_bus_message *message, const char *name) {
    return sd_bus_message_append(message, "sv", "icon", "(sv)", "themed", "as", 1, name);
}

static inline int postern_bus_read_string(sd_bus_message *message, const char **value) {
    return sd_bus_message_read(message, "s", value);
}

static inline int postern_bus_read_object(sd_bus_message *message, const char **path) {
    return sd_bus_message_read(message, "o", path);
}

static inline int postern_bus_read_number(sd_bus_message *message, uint32_t *value) {
    return sd_bus_message_read(message, "u", value);
}

static inline int postern_bus_read_boolean(sd_bus_message *message, int *value) {
    return sd_bus_message_read(message, "b", value);
}
#endif
