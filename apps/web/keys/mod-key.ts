/** The key that goes with K. Apart: the console's first load shows it, and needs nothing else of the shortcuts. */
export const MOD_KEY = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform) ? '\u2318' : 'Ctrl'
