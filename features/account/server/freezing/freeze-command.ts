/**
 * `npm run account:freeze -- <mail|mobile|id> --reason "…" [--as NAME]` freezes a user, `npm run account:thaw -- …` ends it
 * (freezing/freeze-account.ts). Mobiles with their country, +8613800138000.
 */
import { parseArgs } from 'node:util'
import { operatorNamed, runCommand } from '#platform/server/command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { emailKey } from '../../contract.ts'
import { accountConfig } from '../config.ts'
import { userNamed } from './data.ts'
import { freezeAccount, thawAccount } from './freeze-account.ts'

const USAGE = '(freeze | thaw) <mail|mobile|id> --reason "…" [--as NAME]'
const { values, positionals } = parseArgs({ allowPositionals: true, options: { as: { type: 'string' }, reason: { type: 'string' } } })

await runCommand('account-freeze', accountConfig, run)

async function run(deps: Deps): Promise<void> {
  const [what, name] = positionals
  const reason = values.reason?.trim()
  if ((what !== 'freeze' && what !== 'thaw') || !name || !reason || reason.length > 500) {
    console.error(USAGE)
    process.exitCode = 2
    return
  }
  const userId = await userNamed(deps.db, namedBy(name))
  if (!userId) {
    console.error(`nobody is called ${name}`)
    process.exitCode = 1
    return
  }
  await (what === 'freeze' ? freezeAccount : thawAccount)(deps, operatorNamed(values.as), userId, reason)
  console.log(`${userId} ${what === 'freeze' ? 'frozen' : 'thawed'}`)
}

function namedBy(name: string): Parameters<typeof userNamed>[1] {
  if (name.includes('@')) return { kind: 'email', subject: emailKey(name) }
  return name.startsWith('+') ? { kind: 'mobile', subject: name } : { id: name }
}
