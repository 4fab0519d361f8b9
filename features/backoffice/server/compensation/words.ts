/** The bulk kind and the command's name. */
export const COMPENSATION = 'compensation.run'
