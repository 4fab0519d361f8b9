-- What of a recharge has come back to the balance, into the credit that it had taken: where money came from is known after a round over a card.
alter table cards_moves
  add column given_back bigint not null default 0,
  add constraint cards_moves_given_back check (given_back between 0 and case when kind = 'recharge' and state = 'done' then amount else 0 end);
