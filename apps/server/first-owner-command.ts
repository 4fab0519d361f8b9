/** `npm run operators:first -- --mail MAIL --name NAME`: invites the first owner, once, and prints the invitation, which lasts a day. */
import { parseArgs } from 'node:util'
import { runInstallationCommand } from '#platform/server/command.ts'
import { fail } from '#platform/shared/errors.ts'
import { makeFirstOwner } from '#features/backoffice/server/index.ts'

const { values } = parseArgs({ options: { mail: { type: 'string' }, name: { type: 'string' } } })

await runInstallationCommand(
  'operators-first',
  {},
  {
    work: async (deps) => {
      const mail = values.mail?.trim().toLowerCase() ?? ''
      if (!/^[^@\s]+@[^@\s]+$/.test(mail) || !values.name?.trim()) fail('BAD_INPUT', { usage: '--mail MAIL --name NAME' })
      console.log(await makeFirstOwner(deps, { mail, name: values.name!.trim() }))
    },
  },
)
