#!/usr/bin/env python3
"""A separate program: notifications of a desktop that sends a token when a button is pressed (`ActivationToken`), as GNOME and KDE do. No
notification daemon of Debian 12 that runs without these does.

usage: activating_desktop.py DIRECTORY TOKEN

Writes `serving` when it is ready, and a line to `notified` for each notification, whose button is pressed once `press` exists.
"""
import pathlib
import sys

from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

directory, token = pathlib.Path(sys.argv[1]), sys.argv[2]
NAME = "org.freedesktop.Notifications"
signals = DBusAddress("/org/freedesktop/Notifications", interface=NAME)


def write(name, line=""):
    with open(directory / name, "a") as file:
        file.write(line + "\n")


connection = open_dbus_connection("SESSION")
connection.send_and_get_reply(message_bus.RequestName(NAME))
write("serving")
number = 0
while True:
    if number and (directory / "press").exists():
        (directory / "press").unlink()
        # One for another notification, and one too late: neither belongs to the press.
        connection.send(new_signal(signals, "ActivationToken", "us", (number + 1, "of-another")))
        connection.send(new_signal(signals, "ActivationToken", "us", (number, token)))
        connection.send(new_signal(signals, "ActionInvoked", "us", (number, "sign-in")))
    try:
        message = connection.receive(timeout=0.05)
    except TimeoutError:
        continue
    if message.header.message_type != MessageType.method_call:
        continue
    member = message.header.fields[HeaderFields.member]
    if member == "GetCapabilities":
        connection.send(new_method_return(message, "as", (["actions", "body"],)))
    elif member == "Notify":
        number = 1
        connection.send(new_method_return(message, "u", (number,)))
        write("notified", message.body[3])
    elif member == "CloseNotification":
        connection.send(new_method_return(message))
        connection.send(new_signal(signals, "NotificationClosed", "uu", (message.body[0], 3)))
    else:
        connection.send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod"))
