#!/usr/bin/env python3
"""A separate program: the part of a desktop that asks which application to use, as org.freedesktop.impl.portal.AppChooser.

usage: app_chooser.py DIRECTORY APPLICATION

Writes `serving` when it is ready, a line to `asked` for each question, and answers with the application once `answer` exists; a question
that is cancelled before that is a line in `closed`.
"""
import pathlib
import sys

from jeepney import HeaderFields, MessageType, new_error, new_method_return
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

directory, application = pathlib.Path(sys.argv[1]), sys.argv[2]


def write(name, line=""):
    with open(directory / name, "a") as file:
        file.write(line + "\n")


connection = open_dbus_connection("SESSION")
connection.send_and_get_reply(message_bus.RequestName("org.freedesktop.impl.portal.desktop.test"))
write("serving")
question = None
while True:
    if question and (directory / "answer").exists():
        connection.send(new_method_return(question, "ua{sv}", (0, {"choice": ("s", application)})))
        question = None
    try:
        message = connection.receive(timeout=0.05)
    except TimeoutError:
        continue
    if message.header.message_type != MessageType.method_call:
        continue
    member = message.header.fields[HeaderFields.member]
    if member == "ChooseApplication":
        question = message
        write("asked")
    elif member == "Close":
        question = None
        write("closed")
        connection.send(new_method_return(message))
    elif member == "GetAll":
        connection.send(new_method_return(message, "a{sv}", ({},)))
    else:
        connection.send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod"))
