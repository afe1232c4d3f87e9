(define (domain sokoban_pushes)
  (:requirements :strips :typing :action-costs)
  (:types cell way)
  (:predicates (man ?c - cell) (crate ?c - cell) (free ?c - cell) (next ?a ?b - cell ?w - way))
  (:functions (total-cost) - number)
  (:action walk
    :parameters (?a ?b - cell ?w - way)
    :precondition (and (man ?a) (free ?b) (next ?a ?b ?w))
    :effect (and (man ?b) (not (man ?a)) (increase (total-cost) 0)))
  (:action push
    :parameters (?a ?b ?c - cell ?w - way)
    :precondition (and (man ?a) (crate ?b) (free ?c) (next ?a ?b ?w) (next ?b ?c ?w))
    :effect (and (man ?b) (not (man ?a)) (crate ?c) (free ?b) (not (crate ?b)) (not (free ?c)) (increase (total-cost) 1))))
