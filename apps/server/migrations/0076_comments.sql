-- Comments on columns whose unit, time zone, shape or secrecy the name does not tell. Times are timestamptz; nano-dollars are 1e-9 USD.
-- Tables that name the unit in the column (*_nano, *_ms) need none.

-- Platform.
comment on column audit_rows.data is 'Facts of the action, by name. Holds no secret.';
comment on column audit_chain.hash is 'SHA-256 of the previous hash and the audit row (audit_hash).';
comment on column outbox.payload is 'The event, as its subscribers parse it.';
comment on column idempotency_keys.actor is 'User or session that sent the key.';
comment on column idempotency_keys.body_hash is 'SHA-256 of the request body: the same key with another body is refused.';
comment on column idempotency_keys.reply is 'Body of the first response, repeated for later requests.';
comment on column settings.value is 'A setting without a row has its default.';
comment on column settings_history.value is 'The value set at `at`.';
comment on column supplier_faults.seconds is 'Delay in seconds.';

-- Wallet: amounts are integers of 1e-9 of the currency.
comment on column wallet_accounts.owner is '`system`, `user:<id>` or `card:<id>`.';
comment on column wallet_accounts.posted is '1e-9 of the currency. Positive: we owe the owner, or the system account has received.';
comment on column wallet_accounts.held is '1e-9 of the currency in pending holds. Available is posted - held.';
comment on column wallet_accounts.granted is '1e-9 of the currency: the part of `posted` from granted lots.';
comment on column wallet_accounts.purchased_held is '1e-9 of the currency: the part of `held` that leaves from purchased lots only.';
comment on column wallet_accounts.recharged is '1e-9 of the currency topped up in all, less top-ups sent back.';
comment on column wallet_accounts.spent is '1e-9 of the currency spent in all, less refunds.';
comment on column wallet_accounts.entry_count is 'Number of journal entries; the next entry has the next number.';
comment on column wallet_accounts.head is 'Hash of the last entry of the chain of the account.';
comment on column wallet_allowed_pairs.recharges is '1, 0 or -1: how a movement changes wallet_accounts.recharged of the user.';
comment on column wallet_allowed_pairs.spends is '1, 0 or -1: how a movement changes wallet_accounts.spent of the user.';
comment on column wallet_allowed_pairs.leaves is 'The movement takes money away from us and is refused while its owner owes.';
comment on column wallet_transactions.ref is 'Unique within its kind: a posting happens once.';
comment on column wallet_transactions.body_hash is 'SHA-256 of the legs: the same reference with other legs is refused.';
comment on column wallet_transfers.amount is '1e-9 of the currency.';
comment on column wallet_transfers.debit_seq is 'Number of the entry in the debit account, from 1.';
comment on column wallet_transfers.credit_seq is 'Number of the entry in the credit account, from 1.';
comment on column wallet_transfers.debit_after is 'Balance of the debit account after the entry, 1e-9 of the currency.';
comment on column wallet_transfers.credit_after is 'Balance of the credit account after the entry, 1e-9 of the currency.';
comment on column wallet_transfers.debit_hash is 'Covers the previous hash of the debit account and the entry.';
comment on column wallet_transfers.credit_hash is 'Covers the previous hash of the credit account and the entry.';
comment on column wallet_holds.asked is '1e-9 of the currency that the caller asked for.';
comment on column wallet_holds.amount is '1e-9 of the currency that may be captured.';
comment on column wallet_holds.captured is '1e-9 of the currency captured so far.';
comment on column wallet_captures.amount is '1e-9 of the currency; from_hold + from_available + debt.';
comment on column wallet_captures.from_hold is '1e-9 of the currency taken from the hold.';
comment on column wallet_captures.from_available is '1e-9 of the currency taken from the available balance beyond the hold.';
comment on column wallet_captures.debt is '1e-9 of the currency owed after it.';
comment on column wallet_over_captures.amount is '1e-9 of the currency captured beyond the hold.';
comment on column wallet_lots.amount is '1e-9 of the currency.';
comment on column wallet_lots.remaining is '1e-9 of the currency not yet spent.';
comment on column wallet_lot_uses.amount is '1e-9 of the currency taken from the lot; negative: given back to it.';
comment on column wallet_lot_uses.undoes is 'Transaction that a negative amount undoes.';
comment on column wallet_payers.owner is '`card:<id>`.';
comment on column wallet_payers.payer is '`user:<id>`, whose balance pays what the owner owes.';

-- Accounts.
comment on column account_users.mail_choices is 'Kind of mail to true or false; a kind that is missing has its default.';
comment on column account_users.invoice is 'Details that the user saved for invoices.';
comment on column account_users.tips is 'Names of the hints that the user has closed.';
comment on column account_codes.code_hmac is 'HMAC-SHA256 of the code under the key of the installation.';
comment on column account_codes.target is 'Normal form of the address or number that got the code.';
comment on column account_passkeys.public_key is 'COSE key (RFC 9052).';
comment on column account_passkeys.counter is 'Signature counter of the authenticator (WebAuthn).';
comment on column account_authenticators.sealed is 'TOTP secret, sealed under the key of the installation.';
comment on column account_sessions.token_hash is 'SHA-256 of the token; the token itself is not stored.';

-- Notices.
comment on column notices_mails.dedupe is 'Unique name of the event: it is mailed once.';
comment on column notices_mails.content is 'Sealed subject and text; null once sent or given up.';
comment on column notices_mails.kept is 'Sealed content of a sent mail that operators may send again; removed after some days.';
comment on column notices_sms.dedupe is 'Unique name of the event: it is sent once.';
comment on column notices_sms.content is 'Sealed text; null once sent or given up.';
comment on column notices_sms.recipient is 'E.164.';

-- Risk.
comment on column risk_counters.subject is 'Hash of the address, account or number that is counted.';
comment on column risk_counters.ends_at is 'End of the window; a later event begins a new one.';
comment on column risk_marks.digest is 'Keyed hash (HMAC-SHA256) of what is shared.';
comment on column risk_marks.key_id is 'Key of the installation that made the digest.';
comment on column risk_puzzles.answer is 'Sealed.';
comment on column risk_puzzles.proof is 'SHA-256 of the proof given for a solved puzzle.';

-- Payments: `minor` is the smallest unit of the currency (fen, cents).
comment on column payments_orders.fee_percent is 'Decimal percent, such as 2.5.';
comment on column payments_orders.rate is 'Units of the currency for a dollar, decimal.';
comment on column payments_orders.pay_minor is 'What the payer pays, in the smallest unit of `currency`.';
comment on column payments_orders.total_nano is 'Nano-dollars: amount_nano + fee_nano.';
comment on column payments_orders.fixed_nano is 'Nano-dollars: the part of fee_nano that is no percentage.';
comment on column payments_orders.wishes is 'What the ordered service was asked for; its shape is that of the order type.';
comment on column payments_orders.base_state is 'State without refunds and disputes.';
comment on column payments_order_steps.facts is 'Facts of the step, by name.';
comment on column payments_attempts.opened is 'What the payer needs to pay: address, QR code or form.';
comment on column payments_receipts.paid_minor is 'Smallest unit of `currency`.';
comment on column payments_receipts.worth_nano is 'What it is worth to the user, in nano-dollars.';
comment on column payments_refunds.minor is 'What the payer gets, in the smallest unit of `currency`.';
comment on column payments_disputes.minor is 'Disputed sum in the smallest unit of `currency`.';
comment on column payments_disputes.clawed_nano is 'Nano-dollars that we hold of the user because of it.';
comment on column payments_disputes.postings is 'Number of postings so far, part of the reference of the next one.';
comment on column payments_strays.minor is 'Smallest unit of the currency.';
comment on column payments_channel_costs.fee_minor is 'Smallest unit of `currency`; negative: given back.';
comment on column payments_channel_costs.day is 'Day of the statement of the channel.';
comment on column payments_faults.ours is 'The line as we have it; null where we have none.';
comment on column payments_faults.theirs is 'The line as the channel has it; null where it has none.';
comment on column payments_payout_accounts.sealed is 'Account and name, sealed under the key of the installation.';
comment on column payments_payout_accounts.digest is 'Keyed hash of the account: equal accounts have equal digests.';
comment on column payments_payout_accounts.shown is 'Masked account, as pages show it.';
comment on column payments_withdrawals.rate is 'Units of the payout currency for a dollar, decimal.';
comment on column payments_withdrawals.pay_minor is 'What arrives, in fen.';
comment on column payments_withdrawals.sealed is 'Account and name for the payout; null once no payout can follow.';
comment on column payments_withdrawals.shown is 'Masked account, as pages show it.';
comment on column payments_withdrawals.channel_nano is 'Nano-dollars returned over the payment channels, as refunds.';
comment on column payments_withdrawals.sent_nano is 'Nano-dollars sent by transfer.';
comment on column payments_withdrawals.sent_minor is 'What was sent by transfer, in fen.';
comment on column payments_papers.month is 'YYYY-MM, for invoices.';
comment on column payments_papers.facts is 'Everything printed on it, frozen.';
comment on column payments_invoice_requests.details is 'The form as the customer filled it in.';
comment on column payments_invoice_requests.agreed_fee is 'Dollars, decimal.';
comment on column payments_evidence.facts is 'What is known of the order, as handed in.';
comment on column payments_agreements.sealed is 'Number of the agreement at the channel, sealed; null once it has ended.';
comment on column payments_auto_charges.day is 'Shanghai day whose limit it counts against.';
comment on column payments_auto_charges.month is 'First day of the Shanghai month whose limit it counts against.';
comment on column payments_auto_sums.starts is 'First Shanghai day of the period.';

-- Gateway.
comment on column gateway_keys.last4 is 'Last four characters of the secret.';
comment on column gateway_keys.models is 'Model ids, `vendor/*` or a beginning followed by `*`; null: every model.';
comment on column gateway_keys.networks is 'Addresses or networks in CIDR form; null: from everywhere.';
comment on column gateway_keys.day_budget is 'Nano-dollars of a Shanghai day.';
comment on column gateway_keys.month_budget is 'Nano-dollars of a Shanghai month.';
comment on column gateway_prices.classes is 'Nano-dollars per million tokens, by class (features/gateway/server/catalogue/price-classes.ts); null: no such class.';
comment on column gateway_prices.long_above is 'Input tokens above which long_classes applies.';
comment on column gateway_prices.long_classes is 'As `classes`, for long input.';
comment on column gateway_prices.factors is 'Millionths of the price for flex, priority, fast and us, in this order; null: no such tier.';
comment on column gateway_prices.millionths is 'Millionths of the list price `of_version`, for negotiated terms; null: a list price.';
comment on column gateway_price_terms.millionths is 'Millionths of the list price; 1000000 is the list price itself.';
comment on column gateway_calls.held is 'Nano-dollars set aside for the call.';
comment on column gateway_usage.amount is 'Nano-dollars charged.';
comment on column gateway_usage.lines is 'Four numbers a line: kind, tokens, unit price, amount (features/gateway/server/journal/lines.ts).';
comment on column gateway_usage.first_byte_ms is 'Milliseconds from the start to the first byte.';
comment on column gateway_usage.total_ms is 'Milliseconds from the start to the end.';
comment on column gateway_usage_days.amount is 'Nano-dollars.';
comment on column gateway_usage_days.day is 'Shanghai day.';
comment on column gateway_usage_days.largest is 'Nano-dollars of the most expensive call.';
comment on column gateway_usage_hours.amount is 'Nano-dollars.';
comment on column gateway_usage_hours.largest is 'Nano-dollars of the most expensive call.';
comment on column gateway_unposted.amount is 'Nano-dollars that wait to be captured from the hold of the lease.';
comment on column gateway_unsummed.amount is 'Nano-dollars; negative only as part of a correction.';
comment on column gateway_takes.held is 'Nano-dollars counted against the budget of the key.';
comment on column gateway_routes.cost_bp is 'Basis points of the list price that the upstream charges.';
comment on column gateway_routes.priority is 'Lower is tried first.';
comment on column gateway_routes.weight is 'Share among routes of the same priority.';
comment on column gateway_routes.first_byte_ms is 'Milliseconds to wait for the response head; null: as the upstream.';
comment on column gateway_routes.between_ms is 'Milliseconds to wait between bytes of the body; null: as the upstream.';
comment on column gateway_test_calls.cost_bp is 'Basis points of the list price that the upstream charges.';
comment on column gateway_test_calls.cost is 'Nano-dollars.';
comment on column gateway_test_calls.held is 'Nano-dollars: the most that the call can cost.';
comment on column gateway_swept.amount is 'Nano-dollars charged by the sweeper.';
comment on column gateway_corrections.amount_before is 'Nano-dollars.';
comment on column gateway_corrections.amount_after is 'Nano-dollars.';
comment on column gateway_corrections.before is 'The usage row before the correction.';
comment on column gateway_read_on.estimated is 'Nano-dollars that we estimated.';
comment on column gateway_read_on.billed is 'Nano-dollars that the vendor billed.';
comment on column gateway_books.our_charge is 'Nano-dollars charged to customers.';
comment on column gateway_books.their_cost is 'Nano-dollars that the vendor reports.';
comment on column gateway_alert_settings.low_balance is 'Nano-dollars; null: no alert.';
comment on column gateway_upstream_keys.sealed is 'Credential, sealed under the key of the installation and bound to this row; null once retired.';
comment on column gateway_made_ids.id is 'First half of the SHA-256 of the id at the vendor.';

-- Identity.
comment on column identity_people.sealed_key is 'Key of the user, sealed under the key of the installation. Null: deleted, and with it everything sealed under it.';
comment on column identity_people.sealed_draft is 'Form as saved so far, sealed under the key of the user.';
comment on column identity_people.sealed_person is 'Personal data, sealed under the key of the user.';
comment on column identity_numbers.digest is 'Keyed hash of the document number.';
comment on column identity_files.sealed_reading is 'What the recognition read, sealed under the key of the user.';

-- Cards: amounts are nano-dollars.
comment on column cards_cards.address is 'Billing address.';
comment on column cards_cards.warned is 'Kind of warning to the time at which it was sent.';
comment on column cards_cards.uncovered is 'Nano-dollars approved by the issuer beyond what there was to hold.';
comment on column cards_cards.total_spent is 'Nano-dollars.';
comment on column cards_cards.total_recharged is 'Nano-dollars.';
comment on column cards_months.month is 'First day of the Shanghai month.';
comment on column cards_months.spent is 'Nano-dollars, holds included.';
comment on column cards_months.forced is 'Nano-dollars of `spent` that no limit could stop.';
comment on column cards_months.ceiling is 'Nano-dollars: the limit of the month.';
comment on column cards_decisions.asked is 'Nano-dollars that the issuer asked for.';
comment on column cards_decisions.amount is 'Nano-dollars approved.';
comment on column cards_authorizations.asked is 'Nano-dollars asked for in all.';
comment on column cards_authorizations.issuer_held is 'Nano-dollars that the issuer holds.';
comment on column cards_authorizations.held is 'Nano-dollars held of the account of the card, fee included.';
comment on column cards_authorizations.captured is 'Nano-dollars.';
comment on column cards_authorizations.counted is 'Nano-dollars counted in the spending of the month.';
comment on column cards_authorizations.uncovered is 'Nano-dollars approved beyond what there was to hold.';
comment on column cards_authorizations.missing is 'Nano-dollars that the card lacked when it was declined.';
comment on column cards_authorizations.merchant is 'Merchant as the issuer names it (CardMerchant).';
comment on column cards_authorizations.local is '{minor, currency} where the merchant charged another currency.';
comment on column cards_transactions.amount is 'Nano-dollars.';
comment on column cards_transactions.fee is 'Nano-dollars.';
comment on column cards_moves.amount is 'Nano-dollars that leave the source, fee included.';
comment on column cards_moves.fee is 'Nano-dollars of `amount` kept as fee.';
comment on column cards_moves.given_back is 'Nano-dollars of a recharge that came back to the balance.';
comment on column cards_bills.amount is 'Nano-dollars.';
comment on column cards_bills.fee is 'Nano-dollars.';
comment on column cards_bills.local is '{minor, currency} where the merchant charged another currency.';
comment on column cards_bills.missing is 'Nano-dollars that the card lacked when it was declined.';
comment on column cards_bills.balance_after is 'Nano-dollars that the card has, less what it owes.';
comment on column cards_disputes.amount is 'Nano-dollars.';
comment on column cards_disputes.credited is 'Nano-dollars: 0 or the whole amount.';
comment on column cards_task_holds.amount is 'Nano-dollars set aside at most.';
comment on column cards_task_holds.left_nano is 'Nano-dollars still set aside.';
comment on column cards_task_holds.used is 'Nano-dollars that went to authorisations and captures.';
comment on column cards_task_uses.amount is 'Nano-dollars.';

-- Invitations.
comment on column invitations_rules.tiers is '[{"from": 20, "reward": "2.5"}]: from which number of invited users, dollars for each.';
comment on column invitations_rules.cashback_percent is 'Decimal percent; null: no cashback.';
comment on column invitations_rewards.month is 'First day of the Shanghai month whose budgets it uses.';
comment on column invitations_budgets.month is 'First day of the Shanghai month.';
comment on column invitations_budgets.scope is '`user:<id>` or the whole programme.';
comment on column invitations_signals.facts is 'Facts that the signal rests on, by name.';

-- Back office.
comment on column backoffice_operators.totp_sealed is 'TOTP secret, sealed under the key of the installation.';
comment on column backoffice_commands.input is 'Input of the command without secrets.';
comment on column backoffice_commands.input_sealed is 'The parts of the input that are not shown, sealed.';
comment on column backoffice_commands.expects is 'Hash of what the preview showed; the command fails if it has changed.';
comment on column backoffice_commands.preview is 'What the asker saw.';
comment on column backoffice_commands.difference is 'What was expected and what was found, where it was refused or failed.';
comment on column backoffice_rules.rules is 'List of approval rules; the newest version applies.';
comment on column backoffice_bulks.terms is 'Terms of the campaign or command, by name.';
comment on column backoffice_bulk_rows.input is 'Input of the command for this row.';
comment on column backoffice_alarm_ways.quiet_from is 'Minute of the Shanghai day.';
comment on column backoffice_alarm_ways.quiet_to is 'Minute of the Shanghai day.';
comment on column backoffice_alarm_ways.secret_sealed is 'Signing secret of the webhook, sealed.';
comment on column backoffice_balances.amount_nano is '1e-9 of `currency`.';
comment on column backoffice_balance_points.amount_nano is '1e-9 of `currency`.';

-- Services and the products that they sell.
comment on column services_tasks.amount is 'Nano-dollars of the order.';
comment on column services_tasks.charged is 'Nano-dollars charged.';
comment on column services_tasks.returned is 'Nano-dollars of `charged` that came back.';
comment on column services_tasks.charge_id is 'Ledger transaction of the charge.';
comment on column services_tasks.facts is 'What its owner may see, by name. Holds no secret.';
comment on column services_calls.answer is 'Response of the supplier, as parsed.';
comment on column services_quota.period is 'Empty: for ever; else the name of the period, such as 2026-11.';
comment on column flex_accounts.platform is '1 ChatGPT, 2 Claude, 6 Sora.';
comment on column numbers_rentals.number is 'E.164.';
comment on column numbers_rentals.cost is 'Nano-dollars that the supplier charges.';
comment on column numbers_messages.digest is 'Hash of the key that the supplier gives the message.';
comment on column numbers_messages.sealed is 'Text, sealed; null after a day.';
comment on column mailbox_keys.sealed_key is 'Key of the user, sealed under the key of the installation; without it no mail of the user can be read.';
comment on column mailbox_boxes.bytes is 'Size of all mails in bytes.';
comment on column mailbox_messages.digest is 'Hash of the mail as it arrived: a mail delivered twice is stored once.';
comment on column mailbox_messages.sealed is 'Sender, subject and text, sealed under the key of the user.';
comment on column mailbox_files.name is 'File name, sealed under the key of the user.';
comment on column mailbox_files.sealed is 'Content, sealed under the key of the user.';
comment on column registration_secrets.sealed is 'What the desk must type for the member, sealed.';
comment on column proxy_uses.password_sealed is 'Sealed under the key of the installation; null where only the server uses it.';
comment on column proxy_uses.refusals is 'Cause (port, address, unknown, down, limit, spent) to count.';
comment on column remote_nodes.places is 'Number of browsers that it can run at once.';
comment on column upgrade_orders.amount is 'Nano-dollars set aside on the card.';
comment on column upgrade_orders.fee is 'Nano-dollars.';
