import type { GatewayCall } from '../call.ts'
import { sendCallRefusal } from '../reply/reply.ts'
import { needsSlices } from '../body/bounds.ts'
import type { RequestRefusal } from '../errors.ts'
import { findReferences, findReferencesInTurns } from './references.ts'
import type { ObjectReferences } from './references.ts'

/**
 * Checks that all references in the request belong to the account; returns false if refused. Queries the database only for responses or
 * their items. Translated requests need no check: the translation refuses references.
 */
export function checkReferenceOwner(call: GatewayCall): boolean | Promise<boolean> {
  if (call.translation !== undefined || call.facts!.isPlain === true || call.facts!.media?.isForm === true) return true
  const { id } = call.rules!
  return needsSlices(call.body)
    ? findReferencesInTurns(call.body, id).then((named) => checkReferences(call, named))
    : checkReferences(call, findReferences(call.body, id))
}

function checkReferences(call: GatewayCall, named: ObjectReferences | RequestRefusal): boolean | Promise<boolean> {
  if ('cause' in named) {
    sendCallRefusal(call, named)
    return false
  }
  return (named.previous.length === 0 && named.items.length === 0) || queryReferenceOwner(call, named)
}

async function queryReferenceOwner(call: GatewayCall, { previous, items }: ObjectReferences): Promise<boolean> {
  const ids = [...previous, ...items]
  const { deps } = call
  let own: ReadonlySet<string>
  try {
    own = (await deps.madeFor?.(call.apiKey!.accountId, ids)) ?? new Set()
  } catch (error) {
    deps.log.error({ error, requestId: call.requestId }, 'id lookup failed')
    sendCallRefusal(
      call,
      { cause: 'unavailable', message: 'What this request names cannot be looked up at the moment. Try again shortly; nothing was charged.' },
      '1',
    )
    return false
  }
  const strange = ids.find((id) => !own.has(id))
  if (strange === undefined) return true
  if (previous.includes(strange))
    sendCallRefusal(call, { cause: 'no_previous', field: 'previous_response_id', message: `Previous response with id '${strange}' not found.` })
  else
    sendCallRefusal(call, {
      cause: 'not_stored',
      field: 'input',
      message: `Item with id '${strange}' not found. Items are kept for the account they were made for; send this one in full.`,
    })
  return false
}
