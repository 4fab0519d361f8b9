-- Where operators have set their own weights, the new sign of a made-up invitation has its default among them.
update settings set value = jsonb_set(value, '{weights,unknown_payer}', '60')
  where key = 'invitations.signal_weights' and value -> 'weights' is not null and not value -> 'weights' ? 'unknown_payer';
