(define (domain lifts)
  (:requirements :strips :typing)
  (:types person level)
  (:predicates (at ?l - level) (entry ?p - person ?l - level) (aim ?p - person ?l - level) (aboard ?p - person)
    (served ?p - person) (other ?a ?b - level))
  (:action ride
    :parameters (?a ?b - level)
    :precondition (and (at ?a) (other ?a ?b))
    :effect (and (at ?b) (not (at ?a))))
  (:action board
    :parameters (?p - person ?l - level)
    :precondition (and (at ?l) (entry ?p ?l))
    :effect (aboard ?p))
  (:action leave
    :parameters (?p - person ?l - level)
    :precondition (and (at ?l) (aim ?p ?l) (aboard ?p))
    :effect (and (served ?p) (not (aboard ?p)))))
