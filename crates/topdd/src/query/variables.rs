//! Checks of lists of variables.

use crate::QueryError;

/// Fails if a list of variables is not in ascending order.
pub(super) fn check_ascending(variables: &[usize], num_vars: usize) -> Result<(), QueryError> {
    check_exist(variables, num_vars)?;
    let descends = |pair: &&[usize]| pair[0] >= pair[1];
    if let Some([first, second]) = variables.windows(2).find(descends) {
        let message = format!(
            "variable {first} comes before {second}, but they must ascend (see reorder for \
             other orders)"
        );
        return Err(QueryError::BadVariableList { message });
    }
    Ok(())
}

/// Fails if a list does not contain all variables, each once.
pub(super) fn check_permutation(order: &[usize], num_vars: usize) -> Result<(), QueryError> {
    check_exist(order, num_vars)?;
    let mut seen = vec![false; num_vars];
    for &variable in order {
        if std::mem::replace(&mut seen[variable], true) {
            let message = format!("variable {variable} is in it twice, but each must be once");
            return Err(QueryError::BadVariableList { message });
        }
    }
    if let Some(missing) = seen.iter().position(|&seen| !seen) {
        let message = format!("variable {missing} is missing, but each must be in it once");
        return Err(QueryError::BadVariableList { message });
    }
    Ok(())
}

fn check_exist(variables: &[usize], num_vars: usize) -> Result<(), QueryError> {
    match variables.iter().find(|&&variable| variable >= num_vars) {
        Some(&variable) => Err(QueryError::NoSuchVariable { variable, num_vars }),
        None => Ok(()),
    }
}
