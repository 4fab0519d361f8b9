/**
 * Every pair of account kinds over which money can leave a user, and what stops it while its user owes. The ledger allows no other pairs
 * (`wallet_allowed_pairs`), and a test compares the two: a new pair needs a line here.
 * - `ledger`: the ledger refuses the movement itself, in the transaction that makes it (`leaves`).
 * - `asked`: the movement books what has happened already; `requireNoDebt` is asked before it is allowed to happen.
 * - `taken`: we take it, or a shop does, after it was approved: it must always be booked.
 * - `spent`: a purchase at our prices, of credit that debt would have taken first.
 */
export const LEDGER_EXITS: Readonly<Record<string, { readonly gate: 'ledger' | 'asked' | 'taken' | 'spent'; readonly what: string }>> = {
  'customer>in_transit': { gate: 'ledger', what: 'withdrawal, recharge of a card, refund of a top-up' },
  'reward>in_transit': { gate: 'ledger', what: 'withdrawal of rewards' },
  'reward>customer': { gate: 'asked', what: 'rewards moved to the balance, where they pay what the balance owes' },
  'in_transit>wash': { gate: 'asked', what: 'a transfer or refund that its vendor says has arrived' },
  'revenue>wash': { gate: 'asked', what: 'refund of a service; of a debtor it becomes balance, which pays the debt' },
  'fees>wash': { gate: 'asked', what: 'the fee of such a refund' },
  'card>in_transit': { gate: 'asked', what: 'money off a card, on its way to the balance, which pays the debt' },
  'in_transit>card': { gate: 'asked', what: 'a recharge that arrives; its money left the balance before' },
  'deposit>customer': { gate: 'asked', what: 'a deposit goes to the balance, less what cards owe' },
  'in_transit>customer': { gate: 'taken', what: 'comes back to the balance' },
  'in_transit>reward': { gate: 'taken', what: 'comes back to the rewards' },
  'customer>wash': { gate: 'taken', what: 'a payment that is charged back' },
  'customer>receivable': { gate: 'taken', what: 'debt paid' },
  'card>receivable': { gate: 'taken', what: 'debt of a card paid' },
  'card>issuer': { gate: 'taken', what: 'a capture; its authorisation asked for debt' },
  'card>fees': { gate: 'taken', what: 'a fee of the card' },
  'customer>grants': { gate: 'taken', what: 'a gift taken back' },
  'customer>breakage': { gate: 'taken', what: 'credit that expired' },
  'reward>marketing': { gate: 'taken', what: 'a reward taken back' },
  'deposit>revenue': { gate: 'taken', what: 'deposit of an order that is undone, or what it pays of a card’s debt' },
  'in_transit>fees': { gate: 'taken', what: 'a fee of a payout' },
  'customer>revenue': { gate: 'spent', what: 'calls of models and services' },
  'card>revenue': { gate: 'spent', what: 'a task paid from the card that it was kept on' },
  'customer>fees': { gate: 'spent', what: 'the fee of an invoice' },
  'customer>fx': { gate: 'spent', what: 'an exchange' },
}

/**
 * Kinds of movements by which value leaves the balance, the rewards, a card or our own accounts towards a customer, each
 * with the function that checks for debt first. A test compares it with the table of all kinds (contract-movements.ts).
 */
export const EXIT_KINDS: Readonly<Record<string, string>> = {
  'withdraw.sent': 'the ledger (wallet_capture)',
  'refund.taken': 'the ledger (wallet_post)',
  'card.recharge': 'the ledger (wallet_post)',
  'invitation.withdrawn': 'the ledger (wallet_post)',
  'refund.done': 'payments startRefund and stopForDebt',
  'refund.credited': 'ends in the balance, which pays the debt',
  'service.returned': 'ends in the balance, which pays the debt',
  'card.settled': 'pays a debt; what was paid too much ends in the balance',
  'withdraw.paid': 'payments mayCall, before each call to the vendor',
  'card.loaded': 'cards startRecharge',
  'card.spent': 'cards refusal, before an authorisation',
  'card.refund_reversed': 'taken by a shop',
  'card.dispute_lost': 'taken by a shop',
  'card.debt_paid': 'pays a debt',
  'card.to_balance': 'cards refuseInDebt; it ends in the balance, which pays the debt',
  'card.swept': 'ends in the balance, which pays the debt',
  'card.refused': 'comes back to the balance, which pays the debt',
  'card.unloaded': 'ends in the balance, which pays the debt',
  'card.deposit_back': 'cards payDebtsFromDeposit',
  'invitation.moved': 'invitations moveToBalance',
  'dispute': 'taken by the payer’s bank',
  'suspense.resolved': 'an exchange of money that fitted nothing; it ends in the balance',
  'channel.costs': 'kept by the channel',
}
