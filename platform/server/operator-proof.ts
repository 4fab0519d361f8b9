import type { Ctx } from './feature.ts'

const MINUTES = 10

/** True if the operator signed in or authenticated again within the last ten minutes. */
export function isProven({ operator, clock }: Pick<Ctx, 'operator' | 'clock'>): boolean {
  return operator?.by === 'session' && clock.now().getTime() - operator.provenAt.getTime() <= MINUTES * 60_000
}
