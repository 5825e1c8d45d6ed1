# SPDX-License-Identifier: Apache-2.0
yk_test(bind/shim SOURCES cache/objects.c bind/fake_core.c bind/fake_api.c bind/world.c LINK bind)
yk_test(bind/review SOURCES cache/objects.c bind/fake_core.c bind/fake_api.c bind/world.c LINK bind)
yk_test(bind/event_recorder SOURCES cache/objects.c bind/fake_api.c LINK bind)
yk_test(bind/standby SOURCES cache/objects.c bind/fake_core.c bind/fake_api.c bind/world.c LINK bind)
yk_test(bind/administration SOURCES cache/objects.c bind/fake_core.c bind/fake_api.c bind/world.c LINK bind)
yk_test(bind/first_pod SOURCES cache/objects.c bind/fake_core.c bind/fake_api.c bind/world.c LINK bind)
yk_test(bind/gang SOURCES cache/objects.c bind/fake_core.c bind/fake_api.c bind/world.c LINK bind)
yk_test(bind/volume_watches SOURCES cache/objects.c bind/fake_core.c bind/fake_api.c bind/world.c LINK bind)
