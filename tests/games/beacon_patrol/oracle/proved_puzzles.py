"""Positions with answers proved by an exact search outside this repository, by the number of tiles to come."""

PROVED = {
    3: [
        (
            """puzzle mid_k03_s1_b10:
    rules beacon_patrol
    players 1

    sea:
        . . n_light ns_buoy@1
        w_buoy buoy hq .
        s_village open buoy .
        . esw_light ew_buoy .

    hand 1: n_buoy, ne_light, buoy
    draw: none
    tokens 1: 4
    start: turn of 1

    ask: maximise score until end
    answer: 8
""",
            8,
        ),
        (
            """puzzle mid_k03_s2_b16:
    rules beacon_patrol
    players 1

    sea:
        . ne_house . . . . .
        w_buoy open n_village n_buoy hq s_light buoy
        open e_village ew sw_house es_light . .
        open e_light . . . . .
        ew@1 . . . . . .

    hand 1: e_house, nes_house, s_village
    draw: none
    tokens 1: 4
    start: turn of 1

    ask: maximise score until end
    answer: 6
""",
            6,
        ),
        (
            """puzzle mid_k03_s3_b19:
    rules beacon_patrol
    players 1

    sea:
        . . new_light_house . . . .
        . . w_village . . . .
        ne_light nsw_light_house e_buoy nsw_house n_village buoy nes_house
        hq ns_house_n buoy n_buoy buoy es_house .
        . . s_village@1 e_village w_house nes_light .

    hand 1: e_buoy_house, open, e_house
    draw: none
    tokens 1: 4
    start: turn of 1

    ask: maximise score until end
    answer: 12
""",
            12,
        ),
    ],
    6: [
        (
            """puzzle begin_k06_s1:
    rules beacon_patrol
    players 1

    sea:
        hq@1

    hand 1: open, nw_house, ew_buoy
    draw: w_light, ne_light, ew
    tokens 1: 4
    start: turn of 1

    ask: maximise score until end
    answer: 3
""",
            3,
        ),
        (
            """puzzle begin_k06_s2:
    rules beacon_patrol
    players 1

    sea:
        hq@1

    hand 1: open, open, nsw_house
    draw: buoy, ew, open
    tokens 1: 4
    start: turn of 1

    ask: maximise score until end
    answer: 3
""",
            3,
        ),
        (
            """puzzle mid_k06_s1_b10:
    rules beacon_patrol
    players 1

    sea:
        . . new_light_house nw_house .
        n_buoy open open s_village open
        . sw_house hq . w_village@1

    hand 1: buoy, n_buoy_house, s_buoy
    draw: buoy, e_village, buoy
    tokens 1: 4
    start: turn of 1

    ask: maximise score until end
    answer: 7
""",
            7,
        ),
        (
            """puzzle mid_k06_s2_b16:
    rules beacon_patrol
    players 1

    sea:
        . ew ew . . .
        . buoy buoy n_buoy n_village .
        nw_house hq s_house buoy open n_light
        . s_village nes_light . . e_village
        . . . . . e_buoy@1

    hand 1: ne_house, ns_house_n, s_buoy
    draw: open, w_light, sw_house
    tokens 1: 4
    start: turn of 1

    ask: maximise score until end
    answer: 17
""",
            17,
        ),
        (
            """puzzle mid_k06_s3_b18:
    rules beacon_patrol
    players 1

    sea:
        nw_light ne_house . . .
        hq open . . n_buoy@1
        w_village open . . w_buoy_house
        ew w_house n_village buoy s_light
        w_buoy s_buoy s_buoy_house open n_light

    hand 1: open, nes_house, sw_light
    draw: s_village, esw_village, n_house
    tokens 1: 4
    start: turn of 1

    ask: maximise score until end
    answer: 12
""",
            12,
        ),
    ],
}
