import type { Ctx } from './feature.ts'

const MINUTES = 10

/** Whether a person has signed in to the operators' app, or proved again to be there, in the last ten minutes. */
export function isProven({ operator, clock }: Pick<Ctx, 'operator' | 'clock'>): boolean {
  return operator?.by === 'session' && clock.now().getTime() - operator.provenAt.getTime() <= MINUTES * 60_000
}
