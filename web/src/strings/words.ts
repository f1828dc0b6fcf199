// Words and numbers that every page writes alike.


export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const percent = (share: number): string => {
  const shown = share * 100;
  if (shown > 0 && shown < 1) return 'under 1 %';
  if (shown > 99 && shown < 100) return 'over 99 %';
  return `${Math.round(shown)} %`;
};
