import type { Call } from '../call.ts'
import { refuse } from '../reply/reply.ts'
import { needsTurns } from '../body/bounds.ts'
import type { Refused } from '../errors.ts'
import { namedIn, namedInTurns } from './named.ts'
import type { Named } from './named.ts'

/**
 * Checks that all references in the request belong to the account; false when refused. Queries the database only for responses or
 * their items. Translated requests need no check: the translation refuses references.
 */
export function isItsOwn(call: Call): boolean | Promise<boolean> {
  if (call.translation !== undefined || call.facts!.isPlain === true || call.facts!.media?.isForm === true) return true
  const { id } = call.rules!
  return needsTurns(call.body) ? namedInTurns(call.body, id).then((named) => isOwn(call, named)) : isOwn(call, namedIn(call.body, id))
}

function isOwn(call: Call, named: Named | Refused): boolean | Promise<boolean> {
  if ('cause' in named) {
    refuse(call, named)
    return false
  }
  return (named.previous.length === 0 && named.items.length === 0) || areItsOwn(call, named)
}

async function areItsOwn(call: Call, { previous, items }: Named): Promise<boolean> {
  const ids = [...previous, ...items]
  const { deps } = call
  let own: ReadonlySet<string>
  try {
    own = (await deps.madeFor?.(call.apiKey!.accountId, ids)) ?? new Set()
  } catch (error) {
    deps.log.error({ error, requestId: call.requestId }, 'id lookup failed')
    refuse(call, { cause: 'unavailable', message: 'What this request names cannot be looked up at the moment. Try again shortly; nothing was charged.' }, '1')
    return false
  }
  const strange = ids.find((id) => !own.has(id))
  if (strange === undefined) return true
  if (previous.includes(strange))
    refuse(call, { cause: 'no_previous', field: 'previous_response_id', message: `Previous response with id '${strange}' not found.` })
  else
    refuse(call, {
      cause: 'not_stored',
      field: 'input',
      message: `Item with id '${strange}' not found. Items are kept for the account they were made for; send this one in full.`,
    })
  return false
}
