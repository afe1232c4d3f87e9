(define (domain deliveries)
  (:requirements :strips :typing)
  (:types cell parcel amount)
  (:predicates (at ?c - cell) (spot ?p - parcel ?c - cell) (held ?p - parcel) (near ?a ?b - cell)
    (load ?n - amount) (after ?m ?n - amount))
  (:action walk
    :parameters (?a ?b - cell)
    :precondition (and (at ?a) (near ?a ?b))
    :effect (and (at ?b) (not (at ?a))))
  (:action pick
    :parameters (?p - parcel ?c - cell ?m ?n - amount)
    :precondition (and (at ?c) (spot ?p ?c) (load ?m) (after ?m ?n))
    :effect (and (held ?p) (not (spot ?p ?c)) (load ?n) (not (load ?m))))
  (:action drop
    :parameters (?p - parcel ?c - cell ?m ?n - amount)
    :precondition (and (at ?c) (held ?p) (load ?n) (after ?m ?n))
    :effect (and (spot ?p ?c) (not (held ?p)) (load ?m) (not (load ?n)))))
