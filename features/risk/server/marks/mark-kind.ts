/**
 * Facts that two accounts of one person share. `payer`: the channel's id of the payer (an Alipay buyer, a WeChat openid, a
 * card's fingerprint). `payout`: the account that withdrawals go to. `person`: the number on the papers. `device`: the id
 * given to a browser. `place`: network and browser of a sign-in. `mailbox`: the mailbox behind the spellings of an address.
 * `network`: the network of a sign-in. `keys`: the network that API keys are used from; `network` and `keys` match each other.
 */
export type MarkKind = 'mailbox' | 'payer' | 'payout' | 'person' | 'device' | 'place' | 'network' | 'keys'
