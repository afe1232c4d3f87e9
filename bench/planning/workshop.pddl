(define (domain workshop)
  (:requirements :strips :typing :action-costs)
  (:types level purse turn)
  (:constants n0 n1 n2 n3 - level)
  (:predicates (now ?t - turn) (then ?t ?u - turn) (wood ?n - level) (boards ?n - level) (chairs ?n - level)
    (saws ?n - level) (few ?n - level) (coins ?p - purse) (plus ?a ?b ?c - level)
    (after_board ?p ?q - purse) (after_chairs ?n - level ?p ?q - purse) (after_saw ?p ?q - purse))
  (:functions (total-cost) - number (loss) - number (loss_board) - number (loss_saw) - number
    (loss_chairs ?n - level) - number)
  (:action fetch
    :parameters (?t ?u - turn ?a ?b - level)
    :precondition (and (now ?t) (then ?t ?u) (wood ?a) (plus ?a n2 ?b))
    :effect (and (not (now ?t)) (now ?u) (not (wood ?a)) (wood ?b) (increase (total-cost) (loss))))
  (:action saw
    :parameters (?t ?u - turn ?a ?b ?s ?k ?c ?d - level)
    :precondition (and (now ?t) (then ?t ?u) (wood ?a) (plus ?b n1 ?a) (saws ?s) (plus ?s n1 ?k) (boards ?c) (plus ?c ?k ?d))
    :effect (and (not (now ?t)) (now ?u) (not (wood ?a)) (wood ?b) (not (boards ?c)) (boards ?d)
      (increase (total-cost) (loss))))
  (:action join
    :parameters (?t ?u - turn ?a ?b ?c ?d - level)
    :precondition (and (now ?t) (then ?t ?u) (boards ?a) (plus ?b n3 ?a) (chairs ?c) (plus ?c n1 ?d))
    :effect (and (not (now ?t)) (now ?u) (not (boards ?a)) (boards ?b) (not (chairs ?c)) (chairs ?d)
      (increase (total-cost) (loss))))
  (:action sell_board
    :parameters (?t ?u - turn ?a ?b - level ?p ?q - purse)
    :precondition (and (now ?t) (then ?t ?u) (boards ?a) (plus ?b n1 ?a) (coins ?p) (after_board ?p ?q))
    :effect (and (not (now ?t)) (now ?u) (not (boards ?a)) (boards ?b) (not (coins ?p)) (coins ?q)
      (increase (total-cost) (loss_board))))
  (:action sell_chairs
    :parameters (?t ?u - turn ?a - level ?p ?q - purse)
    :precondition (and (now ?t) (then ?t ?u) (chairs ?a) (coins ?p) (after_chairs ?a ?p ?q))
    :effect (and (not (now ?t)) (now ?u) (not (chairs ?a)) (chairs n0) (not (coins ?p)) (coins ?q)
      (increase (total-cost) (loss_chairs ?a))))
  (:action buy_saw
    :parameters (?t ?u - turn ?s ?k - level ?p ?q - purse)
    :precondition (and (now ?t) (then ?t ?u) (saws ?s) (few ?s) (plus ?s n1 ?k) (coins ?p) (after_saw ?p ?q))
    :effect (and (not (now ?t)) (now ?u) (not (saws ?s)) (saws ?k) (not (coins ?p)) (coins ?q)
      (increase (total-cost) (loss_saw))))
  (:action rest
    :parameters (?t ?u - turn)
    :precondition (and (now ?t) (then ?t ?u))
    :effect (and (not (now ?t)) (now ?u) (increase (total-cost) (loss)))))
