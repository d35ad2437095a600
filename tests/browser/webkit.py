"""One window of WebKitGTK for webkit.mjs: started by WebKitWebDriver, told over a socket what WebDriver has no word for."""

import json
import os
import socket
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gdk, GLib, Gtk, WebKit2  # noqa: E402

PATH, FOLDER, WIDTH, HEIGHT, OVERLAY = sys.argv[1:6]
wire = socket.socket(socket.AF_UNIX)
wire.connect(PATH)


def say(**message):
    wire.sendall((json.dumps(message) + "\n").encode())


# An ephemeral context would not tell what pages write to the console.
manager = WebKit2.WebsiteDataManager(base_data_directory=FOLDER, base_cache_directory=FOLDER)
context = WebKit2.WebContext(website_data_manager=manager)
context.set_automation_allowed(True)
scripts = WebKit2.UserContentManager()
settings = WebKit2.Settings(
    enable_write_console_messages_to_stdout=True,
    enable_smooth_scrolling=False,
    # There is no graphics card, and software that stands in for one is slower than none.
    hardware_acceleration_policy=WebKit2.HardwareAccelerationPolicy.NEVER,
    javascript_can_access_clipboard=True,
)
desktop = Gtk.Settings.get_default()
desktop.props.gtk_overlay_scrolling = OVERLAY == "1"
windows = []
downloads = FOLDER


def watch(_view, resource, request):
    say(event="request", url=request.get_uri())
    resource.connect("failed", lambda _, error: say(event="requestfailed", url=resource.get_uri(), text=error.message))
    resource.connect("notify::response", answered)


def answered(resource, _):
    response = resource.get_response()
    say(event="response", url=resource.get_uri(), status=response.get_status_code() if response else 0)


def asked(_view, dialog):
    say(event="dialog", text=dialog.get_message())
    return False


def show(view):
    view.connect("resource-load-started", watch)
    view.connect("script-dialog", asked)
    view.connect("context-menu", lambda *_: True)
    view.connect("web-process-terminated", lambda _, reason: say(event="crash", text=reason.value_nick))
    view.connect("create", lambda *_: show(WebKit2.WebView(related_view=view, settings=settings)))
    window = Gtk.Window()
    window.add(view)
    window.set_default_size(int(WIDTH), int(HEIGHT))
    window.show_all()
    window.move(0, 0)
    windows.append(window)
    front()
    return view


def front():
    """No window manager does it: the keyboard goes to the window, the pointer of the screen stays out of its way."""
    window = windows[-1].get_window()
    screen = window.get_screen()
    pointer = Gdk.Display.get_default().get_default_seat().get_pointer()
    pointer.warp(screen, screen.get_width() - 1, screen.get_height() - 1)
    window.raise_()
    window.focus(Gdk.CURRENT_TIME)


def wheel(x, y, right, down, held):
    """WebDriver's wheel knows no keys that are held, and does not turn twice by the same."""
    view = windows[-1].get_child()
    turn = Gdk.Event.new(Gdk.EventType.SCROLL)
    turn.scroll.window = view.get_window()
    turn.scroll.send_event = False
    turn.scroll.time = Gdk.CURRENT_TIME
    turn.scroll.x, turn.scroll.y = turn.scroll.x_root, turn.scroll.y_root = x, y
    turn.scroll.direction = Gdk.ScrollDirection.SMOOTH
    # WebKit makes more pixels of a turn the larger the window is.
    size = (view.get_allocated_width(), view.get_allocated_height())
    turn.scroll.delta_x, turn.scroll.delta_y = (way / round(side ** (2 / 3)) for way, side in zip((right, down), size))
    turn.scroll.state = Gdk.ModifierType(sum(int(getattr(Gdk.ModifierType, f"{name}_MASK")) for name in held))
    turn.set_device(Gdk.Display.get_default().get_default_seat().get_pointer())
    Gtk.main_do_event(turn)


def script(source):
    frames, start = WebKit2.UserContentInjectedFrames.ALL_FRAMES, WebKit2.UserScriptInjectionTime.START
    scripts.add_script(WebKit2.UserScript.new(source, frames, start, None, None))


def media(dark, calm):
    desktop.props.gtk_application_prefer_dark_theme = dark
    desktop.props.gtk_enable_animations = not calm


def markup(has_scripts):
    settings.props.enable_javascript_markup = has_scripts


def proxy(address):
    mode = WebKit2.NetworkProxyMode.CUSTOM if address else WebKit2.NetworkProxyMode.DEFAULT
    manager.set_network_proxy_settings(mode, WebKit2.NetworkProxySettings.new(address, None) if address else None)


def save_to(folder):
    global downloads
    downloads = folder


def download(_context, one):
    one.connect("decide-destination", lambda _, name: one.set_destination(GLib.filename_to_uri(f"{downloads}/{name}")) or True)


COMMANDS = {"front": front, "script": script, "media": media, "markup": markup, "proxy": proxy, "save_to": save_to, "wheel": wheel}
pending = b""


def told(_source, _condition):
    global pending
    read = wire.recv(1 << 20)
    if read == b"":
        Gtk.main_quit()
        return False
    *lines, pending = (pending + read).split(b"\n")
    for line in lines:
        message = json.loads(line)
        try:
            COMMANDS[message["call"]](*message["args"])
            say(id=message["id"])
        except Exception as error:  # what went wrong is told to who asked
            say(id=message["id"], error=repr(error))
    return True


def create(_session):
    return show(
        WebKit2.WebView(
            web_context=context, user_content_manager=scripts, settings=settings, is_controlled_by_automation=True
        )
    )


def started(_context, session):
    information = WebKit2.ApplicationInfo()
    information.set_name("WebKitGTK")
    information.set_version(WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version())
    session.set_application_info(information)
    session.connect("create-web-view", create)


context.connect("automation-started", started)
context.connect("download-started", download)
GLib.io_add_watch(wire.fileno(), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, told)
say(event="ready")
Gtk.main()
