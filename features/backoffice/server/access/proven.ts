import type { Ctx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'

const MINUTES = 10

/** Whether a person has signed in, or proved again to be there, in the last ten minutes. */
export function isProven({ operator, clock }: Pick<Ctx, 'operator' | 'clock'>): boolean {
  return operator?.by === 'session' && clock.now().getTime() - operator.provenAt.getTime() <= MINUTES * 60_000
}

/** Refuses scripts. */
export function requirePerson({ operator }: Pick<Ctx, 'operator'>): void {
  if (operator?.by !== 'session') fail('OPERATOR_TOKEN')
}

export function requireProvenPerson(ctx: Pick<Ctx, 'operator' | 'clock'>): void {
  requirePerson(ctx)
  if (!isProven(ctx)) fail('OPERATOR_STEP_UP')
}
