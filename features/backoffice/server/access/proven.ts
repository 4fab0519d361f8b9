import type { Ctx } from '#platform/server/feature.ts'
import { isProven } from '#platform/server/operator-proof.ts'
import { fail } from '#platform/shared/errors.ts'

/** Refuses scripts. */
export function requirePerson({ operator }: Pick<Ctx, 'operator'>): void {
  if (operator?.by !== 'session') fail('OPERATOR_TOKEN')
}

export function requireProvenPerson(ctx: Pick<Ctx, 'operator' | 'clock'>): void {
  requirePerson(ctx)
  if (!isProven(ctx)) fail('OPERATOR_STEP_UP')
}
