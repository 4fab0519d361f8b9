/**
 * `npm run secrets:reseal`: reseals everything under the current key (SECRET_KEY) and prints which of SECRET_KEYS_OTHER are still needed.
 * May be killed and run again at any time, alongside running servers. Exit code 1: something could not be unsealed. Runbook:
 * docs/runbooks/secret-key.md.
 */
import type { ConfigShape } from '#platform/server/config.ts'
import { runInstallationCommand } from '#platform/server/command.ts'
import { resealColumn, countOtherKeyUses } from '#platform/server/sealing/reseal.ts'
import { computeKeyId } from '#platform/server/sealing/seal.ts'
import { features } from './features.ts'

const shape: ConfigShape = Object.assign({}, ...features.map((feature) => feature.config ?? {}))

await runInstallationCommand('reseal', shape, {
  work: async (deps) => {
    const names = deps.secretKeys.map((key) => computeKeyId(key).toString('hex'))
    console.log(`key in use: ${names[0]}; others: ${names.slice(1).join(', ') || 'none'}`)
    for (const column of features.flatMap((feature) => feature.sealed ?? [])) {
      const { column: name, renewed, unread } = await resealColumn(deps, column)
      console.log(`${name}: ${renewed} resealed`)
      if (!unread.length) continue
      console.error(`${name}: ${unread.length} rows that no key opens, left as they are: ${unread.slice(0, 10).join(', ')}`)
      process.exitCode = 1
    }
    const uses = await countOtherKeyUses(deps.db, deps.secretKey, features)
    for (const { where, key, rows } of uses) console.log(`waiting for ${key === '' ? 'a key of before versions' : `key ${key}`}: ${rows} in ${where}`)
    for (const name of names.slice(1)) {
      const needed = uses.some(({ key }) => key === name || key === '')
      console.log(needed ? `key ${name} is still needed` : `key ${name} is no longer needed: take it out of SECRET_KEYS_OTHER`)
    }
  },
})
