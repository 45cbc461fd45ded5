/** Whether a subject is of a repository: `owner/name` with what subjects put after it, and not `owner/name-two`. */
export const inRepository = (subject: string): string =>
  `(substr(${subject}, 1, length(@repository)) = @repository
    AND substr(${subject}, length(@repository) + 1, 1) IN ('#', ':', '@', '~'))`;
