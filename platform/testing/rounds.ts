/** Number of tries of a race or a fault: few with every change, many for a release (MONEY_TESTS=full). */
export const chooseRounds = (change: number, release: number): number => (process.env['MONEY_TESTS'] === 'full' ? release : change)

/**
 * Index of the run's rotating choices, from the day of its commit (scripts/test/main.ts): a run is repeatable, and days together cover all choices.
 */
export const TURN = Number(process.env['TURN'] ?? 0)
