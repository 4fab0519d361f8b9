import { literalTextKeys } from './literal-text-keys.mjs'
import { moneyArithmetic } from './money-arithmetic.mjs'
import { noClass, noProcessEnv, maxFileLines } from './small-rules.mjs'
import { noHardCodedText } from './no-hard-coded-text.mjs'
import { queriesInData } from './queries-in-data.mjs'
import { verbTransactionAudits } from './verb-transaction-audits.mjs'

/** This repository's own lint rules; enabled, and exempted by folder, in .oxlintrc.json. */
export const rules = {
  'literal-text-keys': literalTextKeys,
  'max-file-lines': maxFileLines,
  'money-arithmetic': moneyArithmetic,
  'no-class': noClass,
  'no-hard-coded-text': noHardCodedText,
  'no-process-env': noProcessEnv,
  'queries-in-data': queriesInData,
  'verb-transaction-audits': verbTransactionAudits,
}

export default { meta: { name: 'house' }, rules }
