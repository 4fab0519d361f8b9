/** How often a race or a fault is tried: few with every change, many for a release (MONEY_TESTS=full). */
export const rounds = (change: number, release: number): number => (process.env['MONEY_TESTS'] === 'full' ? release : change)
