import type { Ctx } from '#platform/server/feature.ts'
import { isOperatorProven } from '#platform/server/operator-proof.ts'
import { fail } from '#platform/shared/errors.ts'

/** Refuses API tokens; requires an operator's session. */
export function requirePerson({ operator }: Pick<Ctx, 'operator'>): void {
  if (operator?.by !== 'session') fail('OPERATOR_TOKEN')
}

export function requireSteppedUpPerson(ctx: Pick<Ctx, 'operator' | 'clock'>): void {
  requirePerson(ctx)
  if (!isOperatorProven(ctx)) fail('OPERATOR_STEP_UP')
}
