(define (domain sliding)
  (:requirements :strips :typing)
  (:types tile cell)
  (:predicates (at ?t - tile ?c - cell) (gap ?c - cell) (near ?a ?b - cell))
  (:action slide
    :parameters (?t - tile ?a ?b - cell)
    :precondition (and (at ?t ?a) (gap ?b) (near ?a ?b))
    :effect (and (at ?t ?b) (gap ?a) (not (at ?t ?a)) (not (gap ?b)))))
