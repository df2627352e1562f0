#!/usr/bin/env python3
"""A program of its own: notifications of a desktop that gives a token with each press (`ActivationToken`), as GNOME and KDE do, and as no
notification daemon of Debian 12 does that runs without them.

usage: activating_desktop.py DIRECTORY TOKEN

Writes `serving` when it is there, and a line to `notified` for each notification, whose button is pressed once `press` is there.
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
