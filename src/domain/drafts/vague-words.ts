/** Words with which a criterion can be neither met nor missed. */
export const vagueWords =
  /\b(user[- ]friendly|intuitive|appropriate(ly)?|properly|reasonabl[ey]|as needed|and so on|etc|nice(ly)?|good|better|eas(y|ily)|fast|quick(ly)?|robust|efficient(ly)?|seamless(ly)?|tbd|maybe|if possible)\b/iu;
