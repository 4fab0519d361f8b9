import type { Ctx } from './feature.ts'

const PROOF_MINUTES = 10

/** True if the operator signed in or authenticated again within the last ten minutes. */
export function isOperatorProven({ operator, clock }: Pick<Ctx, 'operator' | 'clock'>): boolean {
  return operator?.by === 'session' && clock.now().getTime() - operator.provenAt.getTime() <= PROOF_MINUTES * 60_000
}
