/** How often a race or a fault is tried: few with every change, many for a release (MONEY_TESTS=full). */
export const rounds = (change: number, release: number): number => (process.env['MONEY_TESTS'] === 'full' ? release : change)

/** What a run draws of what takes turns, by the day of its commit (scripts/test/turn.ts): a run can be repeated, and days cover all of it. */
export const TURN = Number(process.env['TURN'] ?? 0)
