"""A bot of one's own: it wins if it can, else it plays for the middle. `simulate --policy bot:middle` takes it too."""

import rulewright as rw


def middle(state: rw.State) -> rw.Action:
    me = state.player
    winning = [action for action in state.legal if state.play(action).winners == (me,)]
    central = [action for action in state.legal if str(action) == "place (1,1)"]
    return (winning or central or state.legal)[0]


if __name__ == "__main__":
    games = rw.load_game("classics.noughts_and_crosses").simulate(200, [middle, "random"])
    print("won", games["outcome_1"].count(1), "drawn", games["outcome_1"].count(0), "lost", games["outcome_1"].count(-1))
